// This file is the measurement loop. Subjects take turns, round after round, so that whatever
// disturbs the machine disturbs all of them; a sample is a train of calls that is long enough to be
// timed.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace imago::bench {

/// What is timed.
struct Subject {
  std::string name;
  std::function<void()> prepare;              ///< before each sample, not timed
  std::function<double(std::size_t)> sample;  ///< seconds that so many calls took
  std::size_t max_calls;                      ///< in one sample
};

/// What one sample is.
enum class Sampled {
  clocked,  ///< a train by the run's clock
  train,    ///< a train by the host's
  waits     ///< calls by the host's clock, each with the wait for its end
};

/// What is called: an engine's plan, or a copy.
struct Callee {
  std::string name;
  std::function<void()> prepare, enqueue, finish;
  std::function<double(std::size_t)> clocked;
  std::size_t max_calls;
};

Subject subject_of(const Callee& callee, Sampled sampled);

struct Pace {
  double seconds = 2;  ///< of samples, all subjects together
  double seconds_per_sample = 0.02;
  std::size_t min_calls = 1;  ///< goes before max_calls
  std::size_t min_rounds = 7, max_rounds = 51;
};

/// What came of one subject: seconds per call, one value per round.
struct Series {
  std::string name;  ///< the subject's
  std::vector<double> seconds;
  std::size_t calls = 0;
  std::string failure;  ///< what it threw; then `seconds` is empty
};

/// A series per subject; nothing where `stop` said so before the last round.
std::optional<std::vector<Series>> take_turns(const std::vector<Subject>& subjects,
                                              const Pace& pace, const std::function<bool()>& stop);

}  // namespace imago::bench
