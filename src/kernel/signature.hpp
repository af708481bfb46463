// This file is the only list of a kernel's parameters: the emitter declares them from it, and the
// runtime sets their arguments from it.
#pragma once

#include <vector>

#include "kernel/generic_hooks.hpp"
#include "kernel/step.hpp"

namespace imago::kernel {

struct KernelParameter {
  enum class Role {
    memory,     ///< elements of a side; for planar storage, their real parts
    imaginary,  ///< imaginary parts of planar elements; generic hooks: of all elements
    stored,     ///< generic hooks: memory again, as numbers of another type
    table,      ///< twiddle factors and the step's other constants
    batch,      ///< an int: batch elements of the launch
    offset,     ///< a long: offset of a side's first element, in elements
    distance,   ///< a long: distance between batch elements of a side, in elements
    scale,      ///< the result's scaling factor, in the precision of the arithmetic
    /// A long: for sides with steps of the caller, where the array begins in memory; for a filter's
    /// fused point, the number of its first element.
    origin,
    buffer,         ///< a buffer of the call
    buffer_offset,  ///< a long: offset of that buffer's numbers or pairs
    number,         ///< a number of the call: an int, or in the precision of the arithmetic
    numbers,        ///< generic kernels: the numbers of all launches (kernel/generic.hpp), ints
    first_number    ///< generic kernels: an int, the index of the launch's first number
  };
  /// The value `spectrum` is the fused point of a filter, which has no memory.
  enum class Of { step, in, out, spectrum };

  Role role = Role::batch;
  Of of = Of::step;
  /// For the roles buffer, buffer_offset and number. Generic hooks: its number is an index in
  /// Launch::arguments.
  KernelArgument argument = {};
  InMemory type = InMemory::real;  ///< for the role `stored`
};

/// Returns the parameters of the step's kernel, in their order. A kernel of several steps has the
/// parameters of each step in turn (kernel::Kernel).
std::vector<KernelParameter> signature_of(const Step& step);

}  // namespace imago::kernel
