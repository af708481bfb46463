// This file chooses if the kernels of a plan are launched one after the other or as one kernel.
#include "engine/launches.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "base/errors.hpp"
#include "device/work.hpp"
#include "model/model.hpp"
#include "plan/choice.hpp"
#include "plan/make_program.hpp"

namespace imago::engine {
namespace {

// Largest predicted time of one launch, relative to several. One launch loads the code of all
// kernels, and each of them uses the registers and the local memory of the largest.
constexpr double kMargin = 0.97;

/// True if the device supports synchronization of the program's work-groups. PoCL 3.1 turns
/// work-items into loops, and its loops are wrong if barriers are conditional, as those of a phase
/// are. On CPUs, only work-groups of one work-item may therefore wait.
bool runs_waiting(const kernel::Program& program, const device::Facts& facts) {
  const bool has_barriers = program.steps.empty() || program.steps[0].work_group_size() > 1;
  return !facts.waiting.empty() && !(facts.type == device::Type::cpu && has_barriers);
}

}  // namespace

bool has_cheap_launches(const kernel::Program& several, const device::Facts& facts) {
  // In graphs several launches are faster for less, too, but not in calls, where the driver takes
  // longer than a short kernel. From here on both were faster on an H200 (docs/measured/cuda.md).
  constexpr std::uint64_t kLeastBytes = std::uint64_t{8} << 20;
  return facts.by_cuda && several.bytes_moved >= kLeastBytes;
}

bool may_be_one_launch(const kernel::Program& several, const device::Facts& facts) {
  return kernel::can_be_one_launch(several) && runs_waiting(several, facts);
}

namespace {

/// True if all groups of a launch run at the same time, or nearly so. With many more groups, the
/// overhead between launches is a small part of the time, and waiting groups block others.
bool fits(const kernel::Program& program, const device::Facts& facts) {
  // On two cores with PoCL 3.1, one launch was at best as fast as several (docs/measured/calls.md).
  // It was three times slower while other programs ran, because a spinning work-group occupies the
  // core that the other group needs.
  if (facts.type == device::Type::cpu) return false;
  const unsigned size = std::max(1u, program.steps[0].work_group_size());
  const std::uint64_t together =
      std::uint64_t{facts.compute_units} * std::max(1u, facts.compute_unit.items / size);
  return std::all_of(program.launches.begin(), program.launches.end(),
                     [&](const kernel::Launch& launch) { return launch.groups <= 2 * together; });
}

double seconds_of_one(const kernel::Program& several, const device::Facts& facts) {
  kernel::Program one = several;
  one.one_launch = true;
  return model::seconds(one, facts);
}

/// True if one launch is predicted to be faster.
bool pays(const kernel::Program& several, const device::Facts& facts) {
  return may_be_one_launch(several, facts) && fits(several, facts) &&
         !has_cheap_launches(several, facts) &&
         seconds_of_one(several, facts) < kMargin * model::seconds(several, facts);
}

/// Returns the fastest candidate with groups of `size`; null if there is none.
const plan::Ranked* cheapest_of_size(const std::vector<plan::Ranked>& ranked, unsigned size) {
  const plan::Ranked* best = nullptr;
  for (const auto& candidate : ranked) {
    if (candidate.group_size == size && (!best || candidate.seconds < best->seconds))
      best = &candidate;
  }
  return best;
}

kernel::Program program_of(const std::vector<lines::Request>& lines,
                           const std::vector<Parameters>& parameters, const device::Facts& facts) {
  kernel::Program program;
  for (std::size_t i = 0; i < lines.size(); ++i)
    kernel::append(program, plan::make_program(lines[i], facts, parameters[i]));
  return program;
}

}  // namespace

bool wants_one_launch(const kernel::Program& several, Launches wish, const device::Facts& facts) {
  if (wish == Launches::several || wish == Launches::chained) return false;
  if (wish == Launches::automatic) return pays(several, facts);
  if (!runs_waiting(several, facts))
    base::unsupported(
        "these work-groups of the device \"" + facts.name + "\" cannot wait for each other",
        "leave parameters.launches automatic");
  if (!may_be_one_launch(several, facts))
    base::invalid("parameters.launches", "one",
                  "it needs two to " + std::to_string(kernel::kMostPhases) +
                      " kernels with work-groups of one size: otherwise use several");
  return true;
}

double predicted_seconds(const kernel::Program& program, const device::Facts& facts) {
  return pays(program, facts) ? seconds_of_one(program, facts) : model::seconds(program, facts);
}

std::optional<std::vector<Parameters>> choose_for_one_launch(
    const std::vector<lines::Request>& lines, const device::Facts& facts) {
  if (lines.size() < 2 || facts.waiting.empty() || facts.type == device::Type::cpu ||
      device::work_of(lines[0].points(), facts) == device::Work::full)
    return {};
  std::vector<std::vector<plan::Ranked>> ranked;
  std::set<unsigned> sizes;
  double several = 0;
  for (const auto& line : lines) {
    ranked.push_back(plan::rank(line, facts, model::seconds));
    several += plan::cheapest(ranked.back()).seconds;
    for (const auto& candidate : ranked.back()) sizes.insert(candidate.group_size);
  }
  sizes.erase(0);
  std::optional<std::vector<Parameters>> best;
  double least = kMargin * several;
  for (const unsigned size : sizes) {
    std::vector<Parameters> chosen;
    for (const auto& line : ranked) {
      if (const auto* candidate = cheapest_of_size(line, size))
        chosen.push_back(candidate->parameters);
    }
    if (chosen.size() < lines.size()) continue;
    const auto program = program_of(lines, chosen, facts);
    if (!may_be_one_launch(program, facts) || !fits(program, facts) ||
        has_cheap_launches(program, facts))
      continue;
    const double seconds = seconds_of_one(program, facts);
    if (seconds < least) least = seconds, best = std::move(chosen);
  }
  return best;
}

}  // namespace imago::engine
