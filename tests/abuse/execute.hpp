// This file runs a program on the host interpreter, in bytes, including planar arrays.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "engine/composition.hpp"
#include "subject.hpp"

namespace imago::abuse {

/// The bytes of a buffer; the second part is empty unless the buffer is planar.
struct Bytes {
  std::array<std::span<std::byte>, 2> parts;
  std::uint64_t offset = 0;  ///< offset of the array, in its elements
};

/// Throws std::logic_error if a kernel breaks a rule of OpenCL.
void execute(const kernel::Program& program, bool f64, const Bytes& in, const Bytes& out,
             const interpreter::Schedule& schedule);

/// Runs the only direction of a blueprint with marks around the data and compares with the
/// definition. Returns a description of the errors; empty if there are none.
std::string judge(const Subject& subject, const engine::Blueprint& blueprint);

}  // namespace imago::abuse
