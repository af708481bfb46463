// This file implements the order of candidates.
#include "tuner/candidates.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace imago::tuner {
namespace {

constexpr std::size_t kRanked = 1500;   // maximum number of cost evaluations
constexpr std::size_t kAlike = 2;       // candidates of each structure
constexpr std::size_t kVainRounds = 2;  // rounds by rank without gain that end a search
constexpr std::size_t kNear = 24;       // neighbours of a candidate that are tried
constexpr double kGain = 0.99;          // time of a new fastest candidate that counts as gain

/// Returns the candidates of an exhaustive search.
std::vector<Parameters> sampled(const plan::Space& space, const Settings& settings) {
  if (!settings.only) return space.sample(settings.most, settings.seed);
  std::vector<Parameters> all;
  for (std::uint64_t i = 0; i < space.size() && all.size() < settings.most; ++i) {
    Parameters candidate = space.at(i);
    if (settings.only(candidate)) all.push_back(std::move(candidate));
  }
  return all;
}

/// Sorts candidates by cost, cheapest first; omits those that there is no time to evaluate.
std::vector<Parameters> ranked(std::vector<Parameters> candidates, const Cost& cost,
                               const std::function<bool()>& continues) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < candidates.size() && continues(); ++i)
    order.emplace_back(cost(candidates[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<Parameters> sorted;
  for (const auto& [seconds, i] : order) {
    if (seconds < kNever) sorted.push_back(std::move(candidates[i]));
  }
  return sorted;
}

/// Returns the coarse choices of a candidate: the lengths of its kernels, their passes, and the
/// work-items per transform.
std::vector<std::uint64_t> structure_of(const Parameters& parameters) {
  std::vector<std::uint64_t> structure{static_cast<std::uint64_t>(parameters.algorithm),
                                       static_cast<std::uint64_t>(parameters.launches)};
  for (const KernelParameters& kernel : parameters.kernels) {
    structure.push_back(kernel.length);
    structure.push_back(kernel.radices.size());
    structure.push_back(kernel.items);
  }
  return structure;
}

}  // namespace

Candidates::Candidates(const Subject& subject, const Settings& settings,
                       const std::function<bool()>& continues)
    : subject_(subject), exhaustive_(settings.exhaustive) {
  first_.assign(subject.start.first.begin(), subject.start.first.end());
  if (exhaustive_) {
    for (auto& candidate : sampled(*subject.space, settings)) {
      if (std::find(first_.begin(), first_.end(), candidate) == first_.end())
        first_.push_back(std::move(candidate));
    }
    return;
  }
  auto others = subject.start.likely;
  for (auto& drawn : subject.space->sample(kRanked, settings.seed))
    others.push_back(std::move(drawn));
  std::map<std::vector<std::uint64_t>, std::size_t> alike;
  for (auto& candidate : ranked(std::move(others), subject.cost, continues)) {
    if (alike[structure_of(candidate)]++ < kAlike) spread_.push_back(candidate);
    ranked_.push_back(std::move(candidate));
  }
}

bool Candidates::is_new(const Parameters& parameters) const {
  return std::find(given_.begin(), given_.end(), parameters) == given_.end();
}

/// Moves new candidates from a queue, until there are `count`.
void Candidates::take(Queue& from, std::size_t count, std::vector<Parameters>& taken) {
  while (!from.empty() && taken.size() < count) {
    if (is_new(from.front())) {
      given_.push_back(from.front());
      taken.push_back(std::move(from.front()));
    }
    from.pop_front();
  }
}

std::vector<Parameters> Candidates::next(std::size_t count) {
  std::vector<Parameters> taken;
  take(first_, count, taken);
  if (exhaustive_ || taken.size() == count) return taken;
  if (least_ < kNever) take(near_, count, taken);
  if (!taken.empty() && least_ < kNever) return taken;
  if (vain_ > kVainRounds) return {};
  while (taken.size() < count && !(ranked_.empty() && spread_.empty())) {
    take(ranked_, taken.size() + 1, taken);
    take(spread_, std::min(count, taken.size() + 1), taken);
  }
  return taken;
}

void Candidates::fastest(const Parameters& parameters, double seconds) {
  vain_ = seconds < kGain * least_ ? 0 : vain_ + 1;
  least_ = std::min(least_, seconds);
  if (parameters == fastest_) return;
  fastest_ = parameters;
  near_.clear();
  for (auto& neighbour :
       ranked(subject_.space->neighbours(parameters), subject_.cost, [] { return true; })) {
    if (near_.size() < kNear && is_new(neighbour)) near_.push_back(std::move(neighbour));
  }
}

}  // namespace imago::tuner
