// This file implements the search.
#include "tune/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <imago/error.hpp>

namespace imago::tune {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kRanked = 1500;  // maximum number of cost evaluations
// Maximum share of the budget for each ranking: one evaluation of a candidate with several 1-D
// transforms takes up to a millisecond.
constexpr double kRanking = 0.15;
// Shares of the budget at which ranking ends and at which the search around the best ends; then the
// finalists' rounds follow.
constexpr double kByRank = 0.5, kAroundBest = 0.75;
constexpr double kLate = 1.5;             // share of the budget after which even too few rounds end
constexpr std::size_t kFewestRounds = 5;  // 4 of 5 wins happen by chance once in 5 times
constexpr double kClearly = 0.8;          // share of rounds: 12 of 15 wins happen by chance once in
                                          // 57 times

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Returns the interquartile range of each series over its median, and of these the median.
double scatter_of(const std::vector<std::vector<double>>& series) {
  std::vector<double> each;
  for (std::vector<double> times : series) {
    if (times.size() < kFewestRounds) continue;
    std::sort(times.begin(), times.end());
    each.push_back((times[times.size() * 3 / 4] - times[times.size() / 4]) /
                   times[times.size() / 2]);
  }
  return each.empty() ? 0 : median(each);
}

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

class Search {
 public:
  Search(const plan::Space& space, const Cost& cost, Judge& judge, const Settings& settings,
         const Callbacks& callbacks)
      : space_(space),
        cost_(cost),
        judge_(judge),
        settings_(settings),
        callbacks_(callbacks),
        start_(callbacks.now()) {}

  Result run(const Start& start) {
    result_.space = space_.size();
    first_ = start.first;
    if (settings_.exhaustive) {
      std::vector<Parameters> all = first_;
      for (auto& candidate : sampled(space_, settings_)) all.push_back(std::move(candidate));
      try_all(all, kNever);
    } else {
      try_all(first_, kNever);
      auto others = start.likely;
      for (auto& drawn : space_.sample(kRanked, settings_.seed)) others.push_back(std::move(drawn));
      try_all(ranked(std::move(others)), kByRank * settings_.budget);
      climb();
    }
    if (!callbacks_.stop()) settle();
    result_.stopped = callbacks_.stop();
    result_.unsettled = !result_.stopped && rounds_ < std::min(kFewestRounds, settings_.rounds);
    const auto clear = [this](const Tried& tried) {
      return tried.finalist &&
             static_cast<double>(tried.wins) >= kClearly * static_cast<double>(rounds_);
    };
    // Three classes: clearly faster than imago's own choice, that choice, the rest.
    const auto rank = [&](const Tried& tried) {
      if (!tried.finalist) return 3;
      if (clear(tried)) return 0;
      return !first_.empty() && tried.parameters == first_[0] ? 1 : 2;
    };
    std::stable_sort(result_.tried.begin(), result_.tried.end(), [&](const auto& a, const auto& b) {
      if (rank(a) != rank(b)) return rank(a) < rank(b);
      return a.seconds < b.seconds;
    });
    return std::move(result_);
  }

 private:
  double elapsed() const { return callbacks_.now() - start_; }

  /// Sorts the candidates by cost, cheapest first; omits those that there is no time to evaluate.
  std::vector<Parameters> ranked(std::vector<Parameters> candidates) const {
    const double until = elapsed() + kRanking * settings_.budget;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < candidates.size() && elapsed() < until; ++i)
      order.emplace_back(cost_(candidates[i]), i);
    std::sort(order.begin(), order.end());
    std::vector<Parameters> sorted;
    for (const auto& [seconds, i] : order) {
      if (seconds < kNever) sorted.push_back(std::move(candidates[i]));
    }
    return sorted;
  }

  void try_all(const std::vector<Parameters>& candidates, double until) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (callbacks_.stop() || elapsed() >= until) return;
      if (i % settings_.ahead == 0) announce(candidates, i);
      try_one(candidates[i]);
      if (callbacks_.progress) {
        callbacks_.progress(result_.tried.size(),
                            settings_.exhaustive ? candidates.size() : result_.tried.size(),
                            best_seconds_);
      }
    }
  }

  void announce(const std::vector<Parameters>& candidates, std::size_t from) {
    const std::size_t to = std::min(candidates.size(), from + settings_.ahead);
    judge_.expect({candidates.begin() + static_cast<std::ptrdiff_t>(from),
                   candidates.begin() + static_cast<std::ptrdiff_t>(to)});
  }

  /// Limits the time of the judge, so that a candidate that hangs takes at most the budget.
  void bound(double until) {
    if (!settings_.exhaustive) judge_.answer_within(std::max(0.0, until - elapsed()));
  }

  void try_one(const Parameters& candidate) {
    if (result_.of(candidate)) return;
    Tried tried{candidate, cost_(candidate)};
    bound((result_.tried.empty() ? kLate : kAroundBest) * settings_.budget);
    try {
      tried.seconds = judge_.time(candidate, settings_.seconds_per_timing);
      if (tried.seconds < best_seconds_) best_seconds_ = tried.seconds, best_ = candidate;
    } catch (const Error& error) {
      tried.failure = error.what();
      tried.seconds = kNever;
    }
    result_.tried.push_back(std::move(tried));
  }

  /// Moves from the best candidate to its best-ranked neighbours, as long as one of them is faster.
  void climb() {
    while (best_seconds_ < kNever) {
      const Parameters from = best_;
      const auto candidates = ranked(space_.neighbours(from));
      for (std::size_t i = 0; i < candidates.size() && best_ == from; ++i) {
        if (callbacks_.stop() || elapsed() >= kAroundBest * settings_.budget) return;
        if (i % settings_.ahead == 0) announce(candidates, i);
        try_one(candidates[i]);
        if (callbacks_.progress)
          callbacks_.progress(result_.tried.size(), result_.tried.size(), best_seconds_);
      }
      if (best_ == from) return;
    }
  }

  /// Times the finalists in turns, so that disturbances affect all of them.
  void settle() {
    std::vector<Tried*> finalists;
    for (auto& tried : result_.tried) {
      if (tried.failure.empty()) finalists.push_back(&tried);
    }
    std::stable_sort(finalists.begin(), finalists.end(),
                     [](const Tried* a, const Tried* b) { return a->seconds < b->seconds; });
    const auto kept = [&](const Tried* tried) {
      return std::find(first_.begin(), first_.end(), tried->parameters) != first_.end();
    };
    std::vector<Tried*> chosen;
    for (Tried* tried : finalists) {
      if (chosen.size() < settings_.finalists || kept(tried)) chosen.push_back(tried);
    }
    std::vector<std::vector<double>> series(chosen.size());
    rounds_ = settings_.rounds;
    bound(kLate * settings_.budget);
    for (std::size_t round = 0; round < settings_.rounds && !callbacks_.stop(); ++round) {
      if (late(round)) {
        rounds_ = round;
        break;
      }
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        try {
          series[i].push_back(judge_.time(chosen[i]->parameters, settings_.seconds_per_timing));
        } catch (const Error& error) {
          chosen[i]->failure = error.what();
        }
      }
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!chosen[i]->failure.empty()) {
        chosen[i]->seconds = kNever;
      } else if (rounds_ > 0 && series[i].size() == rounds_) {
        chosen[i]->finalist = true;
        chosen[i]->seconds = median(series[i]);
      }
    }
    count_wins(chosen, series);
    result_.scatter = scatter_of(series);
  }

  /// True if the budget is over and there were enough rounds, or if it has been over for long.
  bool late(std::size_t round) const {
    if (settings_.exhaustive || round == 0) return false;
    return elapsed() >= (round < kFewestRounds ? kLate : 1) * settings_.budget;
  }

  void count_wins(const std::vector<Tried*>& chosen,
                  const std::vector<std::vector<double>>& series) const {
    const auto own = std::find_if(chosen.begin(), chosen.end(), [this](const Tried* tried) {
      return tried->finalist && !first_.empty() && tried->parameters == first_[0];
    });
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!chosen[i]->finalist) continue;
      if (own == chosen.end())
        chosen[i]->wins = rounds_;  // nothing to compare with
      else
        for (std::size_t r = 0; r < rounds_; ++r)
          chosen[i]->wins += series[i][r] < series[own - chosen.begin()][r];
    }
  }

  const plan::Space& space_;
  const Cost& cost_;
  Judge& judge_;
  const Settings& settings_;
  const Callbacks& callbacks_;
  const double start_;
  std::vector<Parameters> first_;
  Result result_;
  Parameters best_;
  double best_seconds_ = kNever;
  std::size_t rounds_ = 0;  ///< number of finished rounds of the finalists
};

}  // namespace

const Tried* Result::best() const {
  return tried.empty() || !tried.front().failure.empty() || unsettled ? nullptr : &tried.front();
}

const Tried* Result::of(const Parameters& parameters) const {
  const auto found = std::find_if(tried.begin(), tried.end(), [&](const Tried& candidate) {
    return candidate.parameters == parameters;
  });
  return found == tried.end() ? nullptr : &*found;
}

Result search(const plan::Space& space, const Start& start, const Cost& cost, Judge& judge,
              const Settings& settings, const Callbacks& callbacks) {
  return Search(space, cost, judge, settings, callbacks).run(start);
}

}  // namespace imago::tune
