// This file is the interface between the search and the code that runs candidates. It depends on
// neither devices nor clocks.
#pragma once

#include <vector>

#include <imago/parameters.hpp>

namespace imago::tune {

class Judge {
 public:
  virtual ~Judge() = default;
  /// Announces the next candidates in the order of their timing, so that they can be compiled
  /// ahead.
  virtual void expect(const std::vector<Parameters>& candidates) = 0;
  /// Limits the time of each later call, in seconds; after that the call fails.
  virtual void answer_within(double /*seconds*/) {}
  /// Returns the seconds of one call, timed for about `seconds`. Verifies a candidate's result
  /// before its first timing. Throws Error if the candidate cannot be built, is wrong or hangs.
  virtual double time(const Parameters& candidate, double seconds) = 0;
};

}  // namespace imago::tune
