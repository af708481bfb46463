// This file implements the search.
#include "tuner/search.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <imago/error.hpp>

#include "base/side_by_side.hpp"
#include "tuner/candidates.hpp"
#include "tuner/finals.hpp"

namespace imago::tuner {
namespace {

// Shares of the budget at which ranking ends (one evaluation of a candidate with several 1-D
// transforms takes up to a millisecond), at which compiling the first candidates ends, and at which
// the finals begin.
constexpr double kRanking = 0.1, kFirstBuilt = 0.5, kTried = 0.75;
constexpr double kLate = 1.5;    // share of the budget after which even too few rounds end
constexpr double kHopeless = 2;  // times of the best at which timing stops

class Search {
 public:
  Search(const std::vector<Subject>& subjects, Judge& judge, const Settings& settings,
         const Callbacks& callbacks)
      : subjects_(subjects),
        judge_(judge),
        settings_(settings),
        callbacks_(callbacks),
        start_(callbacks.now()),
        states_(subjects.size()) {}

  void run() {
    rank();
    while (!callbacks_.stop() && try_round()) {
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
      // An exhaustive search may have taken hours; the others are too short to be kept in part.
      if (callbacks_.stop() && !settings_.exhaustive) return;
      Result& result = states_[i].result;
      result.space = subjects_[i].space->size();
      const double share = std::max(0.0, left(1)) / static_cast<double>(states_.size() - i);
      Finals finals(result.tried, subjects_[i].start.first, settings_, finalists_in(share));
      if (callbacks_.tries)
        callbacks_.tries(i, result.tried.size(), states_[i].total, states_[i].least);
      if (!callbacks_.stop()) settle(i, finals, share);
      result.stopped = callbacks_.stop();
      finals.finish(result);
      if (callbacks_.ends) callbacks_.ends(i, std::move(result));
    }
  }

 private:
  /// A subject of the search and its results.
  struct State {
    std::unique_ptr<Candidates> candidates;
    std::vector<Parameters> round;  ///< candidates of this round
    std::size_t total = 0;          ///< candidates of an exhaustive search; otherwise 0
    Parameters fastest;
    double least = kNever;  ///< seconds of the fastest
    Result result;
  };

  double elapsed() const { return callbacks_.now() - start_; }
  double left(double share) const {
    return settings_.exhaustive ? kNever : share * settings_.budget - elapsed();
  }

  void rank() {
    base::side_by_side(subjects_.size(), [this](std::size_t i) {
      states_[i].candidates = std::make_unique<Candidates>(subjects_[i], settings_,
                                                           [this] { return left(kRanking) > 0; });
      states_[i].total = states_[i].candidates->left();
    });
  }

  /// Compiles and times a round of all subjects; false if there was nothing left, or no time.
  bool try_round() {
    if (left(kTried) <= 0 && !first_) return false;
    // The first candidates of all subjects before the second ones, because the time may not be
    // enough for all.
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < states_.size(); ++i)
      states_[i].round = states_[i].candidates->next(settings_.batch);
    for (std::size_t rank = 0; rank < settings_.batch; ++rank) {
      for (std::size_t i = 0; i < states_.size(); ++i) {
        if (rank < states_[i].round.size())
          candidates.push_back({subjects_[i].problem, states_[i].round[rank]});
      }
    }
    if (candidates.empty()) return false;
    const auto built =
        judge_.build(candidates, left(first_ ? kFirstBuilt : kTried), [&](std::size_t done) {
          if (callbacks_.builds) callbacks_.builds(done, candidates.size());
          return !callbacks_.stop();
        });
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const std::size_t before = states_[i].result.tried.size();
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        if (built[c] && candidates[c].problem == subjects_[i].problem) try_one(i, candidates[c]);
      }
      try_again(i, before);
      State& state = states_[i];
      if (state.least < kNever) state.candidates->fastest(state.fastest, state.least);
    }
    first_ = false;
    return true;
  }

  /// Times a subject's candidates of this round a second time, because the device or the host may
  /// have been slower for a while. The shorter time counts.
  void try_again(std::size_t i, std::size_t first) {
    State& state = states_[i];
    auto& all = state.result.tried;
    for (std::size_t t = first; t < all.size() && !settings_.exhaustive; ++t) {
      if (callbacks_.stop() || left(kTried) <= 0) return;
      if (!all[t].failure.empty()) continue;
      try {
        const Timing timing{settings_.seconds_per_timing, kHopeless * state.least,
                            std::max(0.0, left(kTried))};
        const double seconds = timed({subjects_[i].problem, all[t].parameters}, timing);
        all[t].seconds = std::min(all[t].seconds, seconds);
        if (seconds < state.least) state.least = seconds, state.fastest = all[t].parameters;
      } catch (const Error& error) {
        all[t].failure = error.what(), all[t].seconds = kNever;
      }
    }
  }

  void try_one(std::size_t i, const Candidate& candidate) {
    State& state = states_[i];
    const bool any = !state.result.tried.empty();
    // Candidates of the first round are timed even if their compilation took too long.
    const double share = first_ ? 1 : kTried;
    if (callbacks_.stop() || (any && left(share) <= 0)) return;
    Tried tried{candidate.parameters, subjects_[i].cost(candidate.parameters)};
    try {
      Timing timing{settings_.seconds_per_timing, kHopeless * state.least,
                    std::max(0.0, left(any ? share : kLate))};
      if (settings_.exhaustive) timing.hopeless = kNever;
      tried.seconds = timed(candidate, timing);
      if (tried.seconds < state.least)
        state.least = tried.seconds, state.fastest = candidate.parameters;
    } catch (const Error& error) {
      tried.failure = error.what();
      tried.seconds = kNever;
    }
    state.result.tried.push_back(std::move(tried));
    if (callbacks_.tries) callbacks_.tries(i, state.result.tried.size(), state.total, state.least);
  }

  double timed(const Candidate& candidate, const Timing& timing) {
    const double before = elapsed();
    const double seconds = judge_.time(candidate, timing);
    shortest_ = std::min(shortest_, elapsed() - before);
    return seconds;
  }

  /// Returns the candidates that can be timed three times in so many seconds.
  std::size_t finalists_in(double seconds) const {
    return static_cast<std::size_t>(std::clamp(seconds / (3 * shortest_), 1.0, 1e3));
  }

  /// Times a subject's finalists, for about `share` seconds.
  void settle(std::size_t i, Finals& finals, double share) {
    const double end = elapsed() + share;
    for (std::size_t round = 0; !callbacks_.stop(); ++round) {
      const auto in = finals.round();
      if (in.empty() || late(round, end)) return;
      for (Tried* tried : in) {
        const Timing timing{settings_.seconds_per_timing, kNever, std::max(0.0, left(kLate))};
        try {
          finals.record(tried, timed({subjects_[i].problem, tried->parameters}, timing));
        } catch (const Error& error) {
          tried->failure = error.what();
        }
      }
      finals.end_round();
    }
  }

  /// True if the time is over and there were enough rounds, or if it has been over for long.
  bool late(std::size_t round, double end) const {
    if (settings_.exhaustive || round == 0) return false;
    return round < kFewestRounds ? left(kLate) <= 0 : elapsed() >= end;
  }

  const std::vector<Subject>& subjects_;
  Judge& judge_;
  const Settings& settings_;
  const Callbacks& callbacks_;
  const double start_;
  std::vector<State> states_;
  bool first_ = true;         ///< true before the first round
  double shortest_ = kNever;  ///< seconds of the shortest timing
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

void search(const std::vector<Subject>& subjects, Judge& judge, const Settings& settings,
            const Callbacks& callbacks) {
  Search(subjects, judge, settings, callbacks).run();
}

}  // namespace imago::tuner
