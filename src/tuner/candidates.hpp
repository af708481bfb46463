// This file orders the candidates of one problem that were not tried yet.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include <imago/parameters.hpp>

#include "tuner/search.hpp"

namespace imago::tuner {

class Candidates {
 public:
  /// Ranks likely candidates and a sample of the subject's space, and omits the rest if `continues`
  /// becomes false. An exhaustive search ranks none; it has at most Settings::most candidates.
  Candidates(const Subject& subject, const Settings& settings,
             const std::function<bool()>& continues);

  /// Returns at most `count` candidates, the most promising first; none: the search has ended,
  /// because no candidate is left, or no neighbour of the fastest one and the last rounds brought
  /// nothing.
  std::vector<Parameters> next(std::size_t count);
  /// Reports the fastest candidate so far, after each round.
  void fastest(const Parameters& parameters, double seconds);
  /// Returns the candidates of an exhaustive search that are left; otherwise 0.
  std::size_t left() const { return exhaustive_ ? first_.size() : 0; }

 private:
  using Queue = std::deque<Parameters>;
  void take(Queue& from, std::size_t count, std::vector<Parameters>& taken);
  bool is_new(const Parameters& parameters) const;

  const Subject& subject_;
  const bool exhaustive_;
  Queue first_;   ///< tried before all others
  Queue ranked_;  ///< sorted by predicted time
  Queue spread_;  ///< likewise, but only the best few of each structure
  Queue near_;    ///< neighbours of the fastest
  std::vector<Parameters> given_;
  Parameters fastest_;
  double least_ = kNever;  ///< seconds of the fastest
  std::size_t vain_ = 0;   ///< number of rounds without gain since the last one with gain
};

}  // namespace imago::tuner
