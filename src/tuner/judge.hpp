// This file is the interface between the search and the code that runs candidates. It depends on
// neither devices nor clocks.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include <imago/parameters.hpp>

#include "profile/problem_class.hpp"

namespace imago::tuner {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// One way to compute a problem.
struct Candidate {
  profile::ProblemClass problem;
  Parameters parameters;
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// The length of a measurement, in seconds.
struct Timing {
  double seconds = 0.003;    ///< duration of the timed calls
  double hopeless = kNever;  ///< stops at the first sample if a call takes longer
  double patience = kNever;  ///< fails if there is no answer after this time
};

class Judge {
 public:
  virtual ~Judge() = default;
  /// Receives the number of candidates that are built, several times a second; returns false to
  /// stop.
  using Watch = std::function<bool(std::size_t built)>;
  /// Compiles candidates side by side, in their order, for at most `seconds`. Returns for each
  /// whether it was compiled, or failed, which time() reports.
  virtual std::vector<bool> build(const std::vector<Candidate>& candidates, double seconds,
                                  const Watch& watch) = 0;
  /// Returns the seconds of one call. Verifies a candidate's result before its first timing. Throws
  /// Error if the candidate cannot be built, is wrong or hangs.
  virtual double time(const Candidate& candidate, const Timing& timing) = 0;
};

}  // namespace imago::tuner
