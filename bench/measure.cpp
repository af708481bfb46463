// This file implements the measurement loop.
#include "bench/measure.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "bench/host_clock.hpp"

namespace imago::bench {
namespace {

// Returns the number of calls that fill a sample. Increases the number until the calls take a
// quarter of a sample, and then scales it.
std::size_t calibrate(const Subject& subject, const Pace& pace, double& seconds_per_call) {
  const std::size_t most = std::max(subject.max_calls, pace.min_calls);
  for (std::size_t calls = 1;; calls = std::min(most, calls * 4)) {
    subject.prepare();
    const double seconds = std::max(subject.sample(calls), 1e-9);
    seconds_per_call = seconds / static_cast<double>(calls);
    if (calls < most && seconds < pace.seconds_per_sample / 4) continue;
    const double wanted = std::min(std::ceil(pace.seconds_per_sample / seconds_per_call), 1e9);
    return std::clamp(static_cast<std::size_t>(wanted), pace.min_calls, most);
  }
}

// If a subject throws, it is excluded with its reason; the others continue.
template <class Body>
void guarded(Series& series, Body body) {
  if (!series.failure.empty()) return;
  try {
    body();
  } catch (const std::exception& error) {
    series.failure = error.what();
    series.seconds.clear();
  }
}

}  // namespace

Subject subject_of(const Callee& callee, Sampled sampled) {
  Subject subject{callee.name, callee.prepare, callee.clocked, callee.max_calls};
  if (sampled == Sampled::train)
    subject.sample = [callee](std::size_t calls) {
      if (!callee.train) return time_train(callee.enqueue, callee.finish, calls);
      callee.enqueue();
      callee.finish();
      const double start = now();
      callee.train(calls);
      callee.finish();
      return now() - start;
    };
  if (sampled == Sampled::waits)
    subject.sample = [callee](std::size_t calls) {
      return time_waits(callee.enqueue, callee.finish, calls);
    };
  return subject;
}

std::optional<std::vector<Series>> take_turns(const std::vector<Subject>& subjects,
                                              const Pace& pace, const std::function<bool()>& stop) {
  std::vector<Series> all(subjects.size());
  double round = 0;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (stop()) return std::nullopt;
    all[i].name = subjects[i].name;
    guarded(all[i], [&] {
      double per_call = 0;
      all[i].calls = calibrate(subjects[i], pace, per_call);
      round += per_call * static_cast<double>(all[i].calls + 1);  // and the warm-up call
    });
  }
  const double fit = std::min(pace.seconds / std::max(round, 1e-9), 1e9);
  const std::size_t rounds =
      std::clamp(static_cast<std::size_t>(fit), pace.min_rounds, pace.max_rounds);
  for (std::size_t r = 0; r < rounds; ++r) {
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (stop()) return std::nullopt;
      guarded(all[i], [&] {
        subjects[i].prepare();
        const double seconds = subjects[i].sample(all[i].calls);
        all[i].seconds.push_back(seconds / static_cast<double>(all[i].calls));
      });
    }
  }
  return all;
}

}  // namespace imago::bench
