// This file starts the benchmark of transforms over ranks. It is a separate program, because it is
// linked with MPI and the command is not.
#pragma once

#include <string>
#include <vector>

namespace imago::command {

/// Replaces this process by `imago_ranks` with these arguments; under mpirun each rank does. Throws
/// Failure if the program is not next to this one, installed or built.
[[noreturn]] void become_ranks(std::vector<std::string> arguments);

}  // namespace imago::command
