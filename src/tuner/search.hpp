// This file searches for the fastest parameters of some problems together, because their candidates
// are compiled side by side. It decides which candidates are tried, in which order and for how
// long. It is pure: Judge hides the devices, and the clock is an argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <imago/parameters.hpp>

#include "plan/space.hpp"
#include "tuner/judge.hpp"

namespace imago::tuner {

struct Settings {
  double budget = 4;        ///< seconds for all problems; ignored by an exhaustive search
  bool exhaustive = false;  ///< tries all candidates, or a sample of `most`, instead of the best
                            ///< ranked ones
  std::size_t most = 400;   ///< candidates of an exhaustive search
  std::function<bool(const Parameters&)> only = {};  ///< filter of the candidates; empty: all
  std::uint64_t seed = 1;                            ///< seed of the sample
  std::size_t finalists = 5;  ///< number of best candidates that are timed to the end;
                              ///< Start::first is always included
  std::size_t rounds = 15;    ///< number of times that finalists are timed in turns
  double seconds_per_timing = 0.003;
  std::size_t batch = 16;  ///< candidates of a problem that are compiled before any is timed
};

/// A candidate with its result.
struct Tried {
  Parameters parameters;
  double predicted = 0;     ///< seconds, by the cost function
  double seconds = 0;       ///< time of one call, the median of its samples
  std::size_t samples = 0;  ///< number of timings in turns; 0: only the first one, by itself
  bool finalist = false;
  std::size_t wins = 0;  ///< rounds in which a finalist was faster than the first of Start::first
  std::string failure = {};  ///< reason why it could not be timed; empty: it was timed
};

struct Result {
  std::vector<Tried> tried;  ///< fastest first, failures last; finalists before the others
  std::uint64_t space = 0;   ///< number of all candidates
  bool stopped = false;      ///< true if stopped before the finalists had their rounds
  bool unsettled = false;    ///< true if the budget ended before the finalists had enough rounds
  double scatter = 0;  ///< scatter of the finalists' rounds: interquartile range over median, of
                       ///< the median finalist
  const Tried* best() const;  ///< null if no candidate worked
  const Tried* of(const Parameters& parameters) const;
};

struct Callbacks {
  std::function<double()> now;  ///< seconds since some fixed moment
  std::function<bool()> stop;   ///< called between candidates
  /// May be empty. `built` of `building` candidates of all problems are compiled.
  std::function<void(std::size_t built, std::size_t building)> builds = {};
  /// May be empty. `total` is 0 if it is unknown.
  std::function<void(std::size_t subject, std::size_t done, std::size_t total, double best)> tries =
      {};
  /// May be empty. Receives each subject's result when it is complete.
  std::function<void(std::size_t subject, Result result)> ends = {};
};

/// The start of a search.
struct Start {
  std::vector<Parameters> first;   ///< tried first: the cost model's choice, and the profile's
                                   ///< entry
  std::vector<Parameters> likely;  ///< ranked together with random candidates of the space
};

/// Returns the predicted seconds of a candidate; infinity if it cannot be planned.
using Cost = std::function<double(const Parameters&)>;

/// A problem whose parameters are searched.
struct Subject {
  profile::ProblemClass problem;
  const plan::Space* space = nullptr;
  Start start;
  Cost cost;  ///< called by several threads
};

/// Compiles and times the candidates of all subjects in rounds: first those of Start, the best
/// ranked ones and the best of other structures; then the neighbours of the fastest one while that
/// helps, else further ones by rank. An exhaustive search tries the whole sample. The best are
/// timed in turns at the end, in ever smaller numbers. There are fewer turns if the budget is over,
/// and none, and thus no best, if it was over long before.
void search(const std::vector<Subject>& subjects, Judge& judge, const Settings& settings,
            const Callbacks& callbacks);

}  // namespace imago::tuner
