// This file implements the finals.
#include "tuner/finals.hpp"

#include <algorithm>

namespace imago::tuner {
namespace {

constexpr double kClearly = 0.8;  // share of rounds: 12 of 15 wins happen by chance once in
                                  // 57 times

/// The candidates that stay after this many rounds.
constexpr struct {
  std::size_t rounds;
  double factor;     ///< largest time, in times of the best
  std::size_t most;  ///< in multiples of Settings::finalists
} kCuts[] = {{0, 1.3, 5}, {3, 1.12, 2}, {6, 1.06, 1}};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Returns the interquartile range over the median.
double scatter_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return (times[times.size() * 3 / 4] - times[times.size() / 4]) / times[times.size() / 2];
}

}  // namespace

Finals::Finals(std::vector<Tried>& tried, const std::vector<Parameters>& own,
               const Settings& settings, std::size_t most)
    : tried_(tried), own_(own), settings_(settings) {
  for (Tried& each : tried_) {
    const bool is_own = std::find(own.begin(), own.end(), each.parameters) != own.end();
    if (each.failure.empty()) series_.push_back({&each, {}, is_own});
  }
  keep(kCuts[0].factor, std::clamp(most, settings.finalists, kCuts[0].most * settings.finalists));
}

std::vector<Tried*> Finals::round() const {
  std::vector<Tried*> in;
  if (rounds_ == settings_.rounds) return in;
  for (const Series& each : series_) {
    if (!each.out) in.push_back(each.tried);
  }
  return in;
}

void Finals::record(const Tried* candidate, double seconds) {
  const auto found = std::find_if(series_.begin(), series_.end(),
                                  [&](const Series& each) { return each.tried == candidate; });
  found->seconds.push_back(seconds);
}

void Finals::end_round() {
  ++rounds_;
  for (Series& each : series_) {
    if (!each.tried->failure.empty()) each.out = true;
  }
  for (const auto& cut : kCuts) {
    if (cut.rounds == rounds_) keep(cut.factor, cut.most * settings_.finalists);
  }
}

/// Keeps the `most` fastest candidates, if they are not slower than the best by `factor`, and
/// imago's own.
void Finals::keep(double factor, std::size_t most) {
  std::vector<Series*> order;
  for (Series& each : series_) {
    if (each.out) continue;
    if (!each.seconds.empty()) each.tried->seconds = median(each.seconds);
    order.push_back(&each);
  }
  std::stable_sort(order.begin(), order.end(), [](const Series* a, const Series* b) {
    return a->tried->seconds < b->tried->seconds;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool near = order[i]->tried->seconds <= factor * order[0]->tried->seconds;
    order[i]->out = !order[i]->own && (i >= most || !near);
  }
}

void Finals::count_wins() {
  const auto own = std::find_if(series_.begin(), series_.end(), [this](const Series& each) {
    return each.tried->finalist && !own_.empty() && each.tried->parameters == own_[0];
  });
  for (Series& each : series_) {
    if (!each.tried->finalist) continue;
    each.tried->wins = own == series_.end() ? rounds_ : 0;  // nothing to compare with
    for (std::size_t r = 0; own != series_.end() && r < rounds_; ++r)
      each.tried->wins += each.seconds[r] < own->seconds[r];
  }
}

void Finals::finish(Result& result) {
  std::vector<double> scatters;
  for (Series& each : series_) {
    if (!each.tried->failure.empty()) {
      each.tried->seconds = kNever;
      continue;
    }
    each.tried->samples = each.seconds.size();
    if (!each.seconds.empty()) each.tried->seconds = median(each.seconds);
    each.tried->finalist = !each.out && rounds_ > 0 && each.seconds.size() == rounds_;
    if (each.tried->finalist && rounds_ >= kFewestRounds)
      scatters.push_back(scatter_of(each.seconds));
  }
  count_wins();
  if (!scatters.empty()) result.scatter = median(scatters);
  // An exhaustive search may have taken hours, so what it has is kept when it is stopped.
  const bool kept = result.stopped && settings_.exhaustive;
  result.unsettled = !kept && rounds_ < std::min(kFewestRounds, settings_.rounds);
  // Three classes: clearly faster than imago's own choice, that choice, the rest.
  const auto rank = [&](const Tried& tried) {
    if (!tried.finalist) return 3;
    if (static_cast<double>(tried.wins) >= kClearly * static_cast<double>(rounds_)) return 0;
    return !own_.empty() && tried.parameters == own_[0] ? 1 : 2;
  };
  std::stable_sort(tried_.begin(), tried_.end(), [&](const auto& a, const auto& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return a.seconds < b.seconds;
  });
  series_.clear();  // their pointers no longer fit
}

}  // namespace imago::tuner
