// This file appends programs to each other, and joins the launches of a program to one kernel.
#include "kernel/program.hpp"

#include <algorithm>
#include <limits>

#include "base/hash.hpp"
#include "kernel/key.hpp"

namespace imago::kernel {
std::string Kernel::name() const {
  if (phases.size() == 1) return name_of(phases.front());
  base::Hasher hasher;
  for (const Step& step : phases) hasher.field(name_of(step));
  const std::string kind = waits ? "one_launch_of_" : "chain_of_";
  return kind + std::to_string(phases.size()) + "_" + hasher.digest().hex();
}

bool can_be_one_launch(const Program& program) {
  const auto& launches = program.launches;
  if (launches.size() < 2 || launches.size() > kMostPhases) return false;
  const auto& first = program.steps[launches[0].step];
  std::uint64_t groups = 0;
  for (const Launch& launch : launches) {
    const Step& step = program.steps[launch.step];
    if (step.mapping() != first.mapping() || step.work_group_size() != first.work_group_size())
      return false;
    groups += launch.groups;
  }
  return groups <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
}

namespace {

/// Returns the index of each step's kernel. Chained steps have the kernel of the step before.
std::vector<std::size_t> kernel_of_each_step(const Program& program) {
  std::vector<bool> chained(program.steps.size());
  for (const Launch& launch : program.launches) chained[launch.step] = launch.chained;
  std::vector<std::size_t> kernels;
  for (const bool with_last : chained)
    kernels.push_back(kernels.empty() ? 0 : kernels.back() + (with_last ? 0 : 1));
  return kernels;
}

}  // namespace

std::vector<Kernel> kernels_of(const Program& program) {
  std::vector<Kernel> kernels;
  if (program.one_launch) {
    kernels.push_back({{}, true});
    for (const Launch& launch : program.launches)
      kernels[0].phases.push_back(program.steps[launch.step]);
    return kernels;
  }
  const auto kernel_of = kernel_of_each_step(program);
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    if (kernel_of[i] == kernels.size()) kernels.emplace_back();
    kernels.back().phases.push_back(program.steps[i]);
  }
  return kernels;
}

std::vector<Command> commands_of(const Program& program) {
  if (program.one_launch) return {{0, 0, program.launches.size()}};
  const auto kernel_of = kernel_of_each_step(program);
  std::vector<Command> commands;
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const Launch& launch = program.launches[i];
    if (launch.chained)
      commands.back().end = i + 1;
    else
      commands.push_back({kernel_of[launch.step], i, i + 1});
  }
  return commands;
}

void append(Program& program, const Program& next) {
  const std::size_t steps = program.steps.size();
  const auto tables = static_cast<int>(program.tables.size());
  if (steps == 0) program.algorithm = next.algorithm;
  program.steps.insert(program.steps.end(), next.steps.begin(), next.steps.end());
  program.tables.insert(program.tables.end(), next.tables.begin(), next.tables.end());
  for (Launch launch : next.launches) {
    launch.step += steps;
    if (launch.table >= 0) launch.table += tables;
    program.launches.push_back(launch);
  }
  program.scratch_bytes = std::max(program.scratch_bytes, next.scratch_bytes);
  program.bytes_moved += next.bytes_moved;
}

}  // namespace imago::kernel
