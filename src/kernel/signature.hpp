// This file is the one list of a kernel's parameters: the emitter declares them from it, and the
// runtime sets their arguments from it.
#pragma once

#include <vector>

#include "kernel/step.hpp"

namespace imago::kernel {

struct KernelParameter {
  enum class Role {
    memory,     ///< of a side's elements; of planar ones, of their real parts
    imaginary,  ///< of planar elements' imaginary parts
    table,      ///< of twiddle factors and what else the step looks up
    batch,      ///< an int: members of the launch
    offset,     ///< a long: where a side's first element lies, in elements
    distance,   ///< a long: from member to member of a side, in elements
    scale,      ///< the result's factor, a number that is computed with
    origin,     ///< a long: of hooked sides where the array begins in memory; of a filter's turn
                ///< the number of its first element
    buffer,     ///< of a hook's argument
    buffer_offset,  ///< a long: where that buffer's numbers or pairs begin
    number          ///< a hook's argument: an int, or a number that is computed with
  };
  enum class Of { step, in, out, turn };  ///< turn: of a filter, which has no memory there

  Role role = Role::batch;
  Of of = Of::step;
  KernelArgument argument = {};  ///< of a buffer, its offset and a number
};

/// Returns the parameters of the step's kernel, in their order. A kernel of several steps has those
/// of each after the other (kernel::Kernel).
std::vector<KernelParameter> signature_of(const Step& step);

}  // namespace imago::kernel
