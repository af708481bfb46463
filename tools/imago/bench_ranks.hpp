// This file starts the benchmark of transforms over ranks, a program of its own: it is linked with
// MPI, which the command is not.
#pragma once

#include <string>
#include <vector>

namespace imago::command {

/// Becomes `imago_ranks` with these arguments; under mpirun each rank does. Throws Failure where it
/// is not beside this program, installed or built.
[[noreturn]] void become_ranks(std::vector<std::string> arguments);

}  // namespace imago::command
