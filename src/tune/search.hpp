// This file searches the fastest parameters of one problem: it decides which candidates are tried,
// in which order and for how long. Pure: devices are behind Judge, the clock is an argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <imago/parameters.hpp>

#include "plan/space.hpp"
#include "tune/judge.hpp"

namespace imago::tune {

struct Settings {
  double budget = 4;        ///< seconds; ignored by an exhaustive search
  bool exhaustive = false;  ///< all candidates, or a sample of `most`, instead of the best ranked
  std::size_t most = 400;   ///< candidates of an exhaustive search
  std::function<bool(const Parameters&)> only = {};  ///< which ones of the space; empty: all
  std::uint64_t seed = 1;                            ///< seed of the sample
  std::size_t finalists = 5;  ///< the best, timed again in turns; Start::first is always among them
  std::size_t rounds = 15;
  double seconds_per_timing = 0.003;
  std::size_t ahead = 16;  ///< candidates that are announced to the judge at a time
};

/// A candidate that was tried.
struct Tried {
  Parameters parameters;
  double predicted = 0;  ///< seconds, by the cost
  double seconds = 0;    ///< one call takes; the median of the rounds for finalists
  bool finalist = false;
  std::size_t wins = 0;  ///< rounds in which a finalist was faster than the first of Start::first
  std::string failure = {};  ///< why it could not be timed; empty: it was
};

struct Result {
  std::vector<Tried> tried;  ///< fastest first, failures last; finalists before the others
  std::uint64_t space = 0;   ///< candidates that there are
  bool stopped = false;      ///< before the finalists had their rounds
  bool unsettled = false;    ///< the budget was over before the finalists had enough rounds
  double scatter = 0;  ///< of the finalists' rounds: middle half over median, of the median one
  const Tried* best() const;  ///< null where nothing worked
  const Tried* of(const Parameters& parameters) const;
};

struct Callbacks {
  std::function<double()> now;  ///< seconds since any moment
  std::function<bool()> stop;   ///< asked between candidates
  std::function<void(std::size_t done, std::size_t total, double best)> progress;  ///< may be empty
};

/// Where a search starts.
struct Start {
  std::vector<Parameters> first;   ///< tried at once: the model's choice, what a profile holds
  std::vector<Parameters> likely;  ///< ranked beside what is drawn from the space
};

/// Predicted seconds of a candidate; infinity where it cannot be planned.
using Cost = std::function<double(const Parameters&)>;

/// Tries `first`, then the others: by rank, then around the best; or the whole sample. The
/// finalists' rounds use the last quarter of the budget: fewer rounds where that is over, none
/// where it is over long before, and then there is no best.
Result search(const plan::Space& space, const Start& start, const Cost& cost, Judge& judge,
              const Settings& settings, const Callbacks& callbacks);

}  // namespace imago::tune
