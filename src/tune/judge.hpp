// This file is what the search asks of whoever runs candidates: it knows neither devices nor
// clocks.
#pragma once

#include <vector>

#include <imago/parameters.hpp>

namespace imago::tune {

class Judge {
 public:
  virtual ~Judge() = default;
  /// What will be timed next, in this order: it may be compiled ahead.
  virtual void expect(const std::vector<Parameters>& candidates) = 0;
  /// What is asked from now on is answered, or fails, within so many seconds.
  virtual void answer_within(double /*seconds*/) {}
  /// Seconds of one call, timed for about `seconds`. A candidate's result is verified before it is
  /// first timed. Throws Error where it cannot be built, is wrong or hangs.
  virtual double time(const Parameters& candidate, double seconds) = 0;
};

}  // namespace imago::tune
