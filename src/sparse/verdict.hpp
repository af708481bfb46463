// This file decides what an attempt of the phase method is worth, and what to do next: a pure
// function of what was measured.
#pragma once

#include <cstddef>
#include <optional>

#include "sparse/phase_parameters.hpp"
#include "sparse/reading.hpp"
#include "sparse/voting_parameters.hpp"

namespace imago::sparse {

/// An attempt and what came before it.
struct Attempted {
  unsigned number = 0;     ///< 0: the first
  std::size_t level = 0;   ///< index into PhaseParameters
  bool fine = false;       ///< small steps of the location
  std::size_t kept = 0;    ///< tones that earlier attempts had found
  std::size_t common = 0;  ///< those of them in this attempt's list
};

enum class Next { accept_consistent, accept_noise_floor, retry, give_up };

struct Decision {
  Next next = Next::give_up;
  std::size_t level = 0;  ///< level of the next attempt
  bool fine = false;
  /// Where it retries for accuracy: what this attempt may claim if no other comes to more.
  std::optional<Next> otherwise = {};
};

constexpr unsigned kMostAttempts = 6;

/// The buckets hold nothing but noise, and the numbers are in the range that says so. False for
/// what is not a number.
bool clean(const Reading& reading);

/// Everything that was read is zero.
bool is_silent(const Reading& reading);

/// The smallest amplitude of a tone that an attempt would have found, or flagged.
double floor_of(const Reading& reading, const Level& level, const Window& window);

/// The smallest amplitude that an attempt of the voting method would have found, or flagged.
double floor_of(const Reading& reading, const VotingLevel& level);

/// `reading` is pruned.
Decision judge(const Reading& reading, const Attempted& attempted,
               const PhaseParameters& parameters, double tolerance);
Decision judge(const Reading& reading, const Attempted& attempted,
               const VotingParameters& parameters, double tolerance);

}  // namespace imago::sparse
