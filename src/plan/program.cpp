// This file joins programs.
#include "plan/program.hpp"

#include <algorithm>

namespace imago::plan {

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

}  // namespace imago::plan
