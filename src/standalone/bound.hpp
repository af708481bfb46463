// This file lists the arguments of a launch with their values, for all languages.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/program.hpp"
#include "kernel/signature.hpp"

namespace imago::standalone {

/// An argument of a kernel in a launch.
struct Bound {
  enum class What {
    memory,   ///< the memory `place`
    table,    ///< `integer`: index in Program::tables
    factors,  ///< `integer`: index of the hook's argument, a buffer
    given,    ///< `integer`: index of the hook's argument, a number
    narrow,   ///< `integer`, an int
    wide,     ///< `integer`, a long
    real      ///< `number`
  } what = What::narrow;
  kernel::KernelParameter parameter = {};
  kernel::Memory place = kernel::Memory::input;
  std::int64_t integer = 0;
  double number = 0;
  bool stores = false;  ///< the kernel writes the memory
};

/// The first elements of the caller's arrays.
struct Offsets {
  std::uint64_t in = 0, out = 0;
};

/// Returns the arguments of a launch's part of a kernel, in their order. Throws Unsupported for
/// generic kernels.
std::vector<Bound> bound(const kernel::Program& program, const kernel::Launch& launch,
                         const Offsets& offsets = {});

}  // namespace imago::standalone
