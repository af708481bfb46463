// This file implements the functions of Blueprint.
#include "engine/blueprint.hpp"

#include <algorithm>
#include <set>

#include "base/integers.hpp"
#include "base/precision.hpp"
#include "base/text.hpp"
#include "lines/canon.hpp"
#include "plan/cuts.hpp"
#include "plan/describe.hpp"

namespace imago::engine {
namespace {

std::vector<const Direction*> directions(const Blueprint& blueprint) {
  std::vector<const Direction*> found;
  for (const auto* direction : {&blueprint.forward, &blueprint.inverse}) {
    if (*direction) found.push_back(&**direction);
  }
  return found;
}

/// Returns the names of the arrays that a direction reads and writes, as in a plan's functions.
plan::ArrayNames names_of(const problem::Problem& problem, bool inverse) {
  if (problem.placement == Placement::in_place) return {"data", "data"};
  return inverse ? plan::ArrayNames{"spectrum", "signal"} : plan::ArrayNames{"signal", "spectrum"};
}

}  // namespace

std::vector<profile::Found> Direction::tuned() const {
  std::vector<profile::Found> found;
  for (const Line& line : lines) {
    if (line.tuned) found.push_back(*line.tuned);
  }
  return found;
}

Parameters Direction::parameters() const {
  plan::Cut cut;
  std::vector<Parameters> each;
  for (const Line& line : lines) {
    cut.lines.push_back(line.request);
    each.push_back(line.parameters);
  }
  Parameters joined = plan::join(each, cut);
  if (program.launches.size() > 1) joined.launches = launches();
  return joined;
}

Launches Direction::launches() const {
  if (program.one_launch) return Launches::one;
  const bool chains = std::any_of(program.launches.begin(), program.launches.end(),
                                  [](const kernel::Launch& launch) { return launch.chained; });
  return chains ? Launches::chained : Launches::several;
}

std::vector<profile::Found> Blueprint::tuned() const {
  std::vector<profile::Found> found;
  for (const auto* d : directions(*this)) {
    const auto more = d->tuned();
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

std::size_t Blueprint::workspace_bytes() const {
  std::size_t most = 0;
  for (const auto* d : directions(*this)) most = std::max(most, d->program.scratch_bytes);
  return most;
}

bool Blueprint::needs_workspace() const {
  const auto all = directions(*this);
  return std::any_of(all.begin(), all.end(),
                     [](const Direction* d) { return d->program.needs_workspace(); });
}

bool Blueprint::is_generic() const { return !first().program.generic.numbers.empty(); }

std::size_t Blueprint::table_bytes() const {
  std::set<kernel::Table> tables;
  for (const auto* d : directions(*this))
    tables.insert(d->program.tables.begin(), d->program.tables.end());
  std::size_t bytes = 0;
  for (const auto* d : directions(*this))
    bytes += d->program.generic.table.size() * base::bytes_of(problem.precision) +
             d->program.generic.numbers.size() * sizeof(std::int32_t);
  for (const auto& table : tables) bytes += table.bytes();
  return bytes;
}

Estimate Blueprint::estimate() const {
  return {.signal_bytes = problem.bytes(false),
          .spectrum_bytes = problem.bytes(true),
          .workspace_bytes = workspace_bytes(),
          .table_bytes = table_bytes(),
          .kernels = kernel::commands_of(first().program).size(),
          .bytes_moved = first().program.bytes_moved,
          .seconds = first().seconds};
}

std::string Blueprint::describe() const {
  std::string text = problem.key() + ", batch " + std::to_string(problem.batch);
  if (problem.reproducible) text += ", reproducible, canon " + std::to_string(lines::kCanon);
  text += "\n";
  for (const auto* d : directions(*this)) {
    const bool back = inverse && d == &*inverse;
    text += back ? "inverse\n" : "forward\n";
    if (d->chunk < problem.batch)
      text += "  in " + std::to_string(base::ceil_divide(problem.batch, d->chunk)) + " chunks of " +
              std::to_string(d->chunk) + " transforms, through " +
              std::to_string(d->program.scratch_bytes) + " bytes of scratch\n";
    if (d->program.one_launch) text += "  in one launch\n";
    if (is_generic()) {
      const std::size_t launches = d->program.launches.size();
      text += "  generic kernels, " + std::to_string(launches) +
              (launches == 1 ? " launch\n" : " launches\n");
    }
    std::size_t launch = 1;
    for (const Line& line : d->lines) {
      text += "  " + line.origin + "\n";
      text += plan::describe(line.program, line.request, launch, names_of(problem, back));
      launch += line.program.launches.size();
    }
  }
  return text;
}

}  // namespace imago::engine
