// This file times the best candidates of a problem in turns, so that disturbances affect all of
// them.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tuner/search.hpp"

namespace imago::tuner {

/// Minimum number of rounds: 4 of 5 wins happen by chance once in 5 times.
inline constexpr std::size_t kFewestRounds = 5;

class Finals {
 public:
  /// Chooses from the candidates that have a time: those near the best, but no more than `most` if
  /// that is above Settings::finalists, and imago's own.
  Finals(std::vector<Tried>& tried, const std::vector<Parameters>& own, const Settings& settings,
         std::size_t most);

  /// Returns the candidates of the next round; none if the rounds are complete.
  std::vector<Tried*> round() const;
  /// Receives the seconds of a candidate of this round.
  void record(const Tried* candidate, double seconds);
  /// Ends a round: drops candidates that are clearly slower than the best.
  void end_round();
  /// Ends the finals. Fills in the candidates' times and wins, and sorts the candidates of the
  /// result.
  void finish(Result& result);

 private:
  struct Series {
    Tried* tried;
    std::vector<double> seconds;
    bool own = false, out = false;
  };
  void keep(double factor, std::size_t most);
  void count_wins();

  std::vector<Tried>& tried_;
  const std::vector<Parameters>& own_;
  const Settings& settings_;
  std::vector<Series> series_;
  std::size_t rounds_ = 0;  ///< number of finished rounds
};

}  // namespace imago::tuner
