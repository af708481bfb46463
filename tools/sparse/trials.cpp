// This file is `sparse_trials`: experiments with recovery, claims and times of the sparse transform
// (docs/measured/sparse.md).
#include "trials.hpp"

#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>

namespace imago::trials {

double now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

cl::Buffer Machine::upload(const catalogue::SparseSignal& signal,
                           const SparseTransform& transform) const {
  const auto copy = [&](auto data) {
    return cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                      data.size() * sizeof data[0], data.data());
  };
  const bool real = transform.kind == Kind::real;
  return transform.precision == Precision::f64 ? copy(catalogue::stored<double>(signal, real))
                                               : copy(catalogue::stored<float>(signal, real));
}

}  // namespace imago::trials

int main(int count, char** arguments) {
  using namespace imago::trials;
  CLI::App app("Trials of the sparse transform: what it recovers, claims and takes",
               "sparse_trials");
  app.require_subcommand(1);
  const auto commands = {hostile_command(app), recover_command(app), rounds_command(app),
                         time_command(app)};
  CLI11_PARSE(app, count, arguments);
  try {
    for (const auto& command : commands)
      if (command.app->parsed()) return command.run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  }
  return 1;
}
