// This file starts the benchmark of transforms over ranks.
#include "bench_ranks.hpp"

#include <filesystem>

#include <unistd.h>

#include "base/system.hpp"
#include "command.hpp"
#include "interrupt.hpp"

namespace imago::command {

void become_ranks(std::vector<std::string> arguments) {
  const auto here = base::own_program().parent_path();
  for (const char* const place : {"imago_ranks", "../bench/ranks/imago_ranks"}) {
    std::string program = here / place;
    if (!std::filesystem::exists(program)) continue;
    std::vector<char*> words{program.data()};
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    release_interrupts();
    execv(program.c_str(), words.data());
  }
  throw Failure("imago_ranks is not in " + here.string() +
                ": build imago with MPI and FFTW-MPI (libopenmpi-dev, libfftw3-mpi-dev)");
}

}  // namespace imago::command
