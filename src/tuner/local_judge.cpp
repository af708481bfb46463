// This file implements the judge of this process.
#include "tuner/local_judge.hpp"

#include <imago/error.hpp>

#include "base/side_by_side.hpp"
#include "base/stopwatch.hpp"
#include "engine/tuning.hpp"

namespace imago::tuner {
namespace {

Options without_files() {
  Options options;
  options.profiles = false;
  options.disk_cache = false;  // most candidates lose
  return options;
}

}  // namespace

LocalJudge::LocalJudge(const cl::Context& context, const cl::Device& device)
    : context_(context), device_(device) {}

Trial& LocalJudge::trial_of(const profile::ProblemClass& problem) {
  const auto found = trials_.find(problem);
  if (found != trials_.end()) return found->second;
  return trials_
      .try_emplace(problem, context_, device_, engine::transform_of(problem),
                   engine::options_of(problem, without_files()))
      .first->second;
}

std::vector<bool> LocalJudge::build(const std::vector<Candidate>& candidates, double seconds,
                                    const Watch& watch) {
  const base::Stopwatch elapsed;
  for (const Candidate& candidate : candidates) trial_of(candidate.problem);
  std::mutex mutex;
  std::size_t built = 0;
  bool stopped = false;
  std::vector<char> done(candidates.size(), 0);  // not bits, which threads cannot write separately
  base::side_by_side(candidates.size(), [&](std::size_t i) {
    {
      const std::lock_guard lock(mutex);
      stopped = stopped || elapsed.seconds() >= seconds || !watch(built);
      if (stopped) return;
    }
    try {
      trials_.at(candidates[i].problem).build(candidates[i].parameters);
    } catch (const Error&) {
      // time() will report it.
    }
    done[i] = 1;
    const std::lock_guard lock(mutex);
    ++built;
  });
  return {done.begin(), done.end()};
}

double LocalJudge::time(const Candidate& candidate, const Timing& timing) {
  return trial_of(candidate.problem).time(candidate.parameters, timing);
}

}  // namespace imago::tuner
