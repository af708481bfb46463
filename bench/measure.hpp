// This file is the measurement loop. Subjects take turns in rounds, so that disturbances affect all
// of them. A sample consists of enough back-to-back calls to be timed.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace imago::bench {

/// A measured function.
struct Subject {
  std::string name;
  std::function<void()> prepare;              ///< before each sample, not timed
  std::function<double(std::size_t)> sample;  ///< seconds of this number of calls
  std::size_t max_calls;                      ///< in one sample
};

/// The kind of a sample.
enum class Sampled {
  clocked,  ///< back-to-back calls by the run's clock
  train,    ///< back-to-back calls by the host's clock
  waits     ///< synchronous calls by the host's clock
};

/// A called object: an engine's plan, or a copy.
struct Callee {
  std::string name;
  std::function<void()> prepare, enqueue, finish;
  std::function<double(std::size_t)> clocked;
  std::size_t max_calls;
  std::function<void(std::size_t)> train = {};  ///< back-to-back calls; empty: enqueue again
};

Subject subject_of(const Callee& callee, Sampled sampled);

struct Pace {
  double seconds = 2;  ///< time for samples, all subjects together
  double seconds_per_sample = 0.02;
  std::size_t min_calls = 1;  ///< overrides max_calls
  std::size_t min_rounds = 7, max_rounds = 51;
};

/// The samples of one subject: seconds per call, one value per round.
struct Series {
  std::string name;  ///< the subject's name
  std::vector<double> seconds;
  std::size_t calls = 0;
  std::string failure;  ///< message of its exception; `seconds` is then empty
};

/// Returns a series per subject; nullopt if `stop` returned true before the last round.
std::optional<std::vector<Series>> take_turns(const std::vector<Subject>& subjects,
                                              const Pace& pace, const std::function<bool()>& stop);

}  // namespace imago::bench
