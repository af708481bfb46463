// This file implements the choice by predicted time.
#include "plan/choice.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include <imago/error.hpp>

#include "device/work.hpp"
#include "plan/make_program.hpp"
#include "plan/mapping_rules.hpp"
#include "plan/shortlist.hpp"

namespace imago::plan {
namespace {

constexpr double kMargin = 0.95;
constexpr int kRounds = 3;  // enough for 8 to 32 columns and another exchange
// A time without bank conflicts counts as a bound from this multiple of another time on. Paddings
// change the groups that a compute unit holds, so they rarely make a kernel a little faster.
constexpr double kBound = 1.05;

/// Predicts the times of candidates.
class Predictor {
 public:
  Predictor(const lines::Request& request, const device::Facts& facts, const Cost& cost)
      : request_(request), facts_(facts), cost_(cost), without_conflicts_(facts) {
    without_conflicts_.compute_unit.bank_conflicts = false;
  }

  /// Returns the first candidate and those that may be the cheapest; if `of_each_size` is true,
  /// also those that may be the cheapest with work-groups of their size. Left out are candidates
  /// that would be too slow even without bank conflicts, whose count takes most of a prediction's
  /// time.
  std::vector<Ranked> fastest(std::vector<Parameters> candidates, bool of_each_size) const {
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    std::vector<Ranked> found;
    std::map<unsigned, double> of_size;
    double least = kUnknown;
    for (Parameters& parameters : candidates) {
      if (!found.empty() && rules_of(parameters.mapping).has_work_groups) {
        const Ranked bound = predicted(parameters, without_conflicts_);
        const auto own = of_size.try_emplace(bound.group_size, kUnknown).first->second;
        const double other = of_each_size && bound.group_size != 0 ? own : least;
        if (bound.seconds >= kBound * std::max(least, other)) continue;
      }
      found.push_back(predicted(std::move(parameters), facts_));
      const double seconds = found.back().seconds;
      least = std::min(least, (found.size() == 1 ? kMargin : 1) * seconds);
      double& own = of_size.try_emplace(found.back().group_size, kUnknown).first->second;
      own = std::min(own, seconds);
    }
    return found;
  }

 private:
  Ranked predicted(Parameters parameters, const device::Facts& facts) const {
    Ranked candidate{std::move(parameters), std::numeric_limits<double>::infinity(), 0};
    try {
      const kernel::Program program = make_program(request_, facts, candidate.parameters);
      candidate.seconds = cost_(program, facts);
      const auto& steps = program.steps;
      const unsigned size = steps.empty() ? 0 : steps[0].work_group_size();
      const bool one = std::all_of(steps.begin(), steps.end(), [&](const kernel::Step& step) {
        return step.work_group_size() == size;
      });
      candidate.group_size = one ? size : 0;
    } catch (const Unsupported&) {
      // A kernel cannot count so many points; another candidate may work.
    }
    return candidate;
  }

  const lines::Request& request_;
  const device::Facts& facts_;
  const Cost& cost_;
  device::Facts without_conflicts_;
};

}  // namespace

std::vector<Ranked> rank(const lines::Request& request, const device::Facts& facts,
                         const Cost& cost) {
  return Predictor(request, facts, cost).fastest(shortlist(request, facts), true);
}

const Ranked& cheapest(const std::vector<Ranked>& ranked) {
  const Ranked* best = &ranked.front();
  double least = kMargin * best->seconds;
  for (const Ranked& candidate : ranked) {
    if (candidate.seconds < least) least = candidate.seconds, best = &candidate;
  }
  return *best;
}

namespace {

/// Appends variations of the fastest candidate by columns and exchanges, while these are faster.
void climb(const lines::Request& request, const device::Facts& facts, const Predictor& predictor,
           std::vector<Ranked>& ranked) {
  for (int round = 0; round < kRounds; ++round) {
    const Ranked middle = cheapest(ranked);
    if (round == 0 && middle.parameters == ranked.front().parameters) return;
    auto more = shortlist_around(request, facts, middle.parameters);
    std::erase_if(more, [&](const Parameters& p) {
      return std::any_of(ranked.begin(), ranked.end(),
                         [&](const Ranked& known) { return known.parameters == p; });
    });
    more.insert(more.begin(), middle.parameters);
    const std::vector<Ranked> found = predictor.fastest(std::move(more), false);
    const Ranked& best = cheapest(found);
    if (&best == &found.front()) return;
    ranked.push_back(best);
  }
}

}  // namespace

Parameters choose(const lines::Request& request, const device::Facts& facts, const Cost& cost) {
  const Predictor predictor(request, facts, cost);
  auto ranked = predictor.fastest(shortlist(request, facts), false);
  if (rules_of(ranked[0].parameters.mapping).has_work_groups &&
      device::work_of(request.points(), facts) == device::Work::full)
    climb(request, facts, predictor, ranked);
  return cheapest(ranked).parameters;
}

Parameters choose_alike(const lines::Request& request, const device::Facts& facts, const Cost& cost,
                        const Parameters& alike) {
  const auto candidates = shortlist_alike(request, facts, alike);
  return cheapest(Predictor(request, facts, cost).fastest(candidates, false)).parameters;
}

}  // namespace imago::plan
