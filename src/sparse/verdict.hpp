// This file decides the verdict on an attempt of the phase or voting method and the next step, as a
// pure function of the measurements.
#pragma once

#include <cstddef>
#include <optional>

#include "sparse/phase_parameters.hpp"
#include "sparse/reading.hpp"
#include "sparse/voting_parameters.hpp"

namespace imago::sparse {

/// An attempt and its predecessors.
struct Attempted {
  unsigned number = 0;     ///< 0 for the first attempt
  std::size_t level = 0;   ///< index into PhaseParameters
  bool fine = false;       ///< true for small steps of the location
  std::size_t kept = 0;    ///< number of tones that earlier attempts found
  std::size_t common = 0;  ///< number of these that this attempt also found
};

enum class Next { accept_consistent, accept_noise_floor, retry, give_up };

struct Decision {
  Next next = Next::give_up;
  std::size_t level = 0;  ///< level of the next attempt
  bool fine = false;
  /// If the next attempt is only for accuracy: the claim of this attempt, for the case that no
  /// later one succeeds.
  std::optional<Next> otherwise = {};
};

constexpr unsigned kMostAttempts = 6;

/// True if the buckets hold only noise, and the numbers are in the range in which that is certain.
/// False for a NaN.
bool clean(const Reading& reading);

/// True if all samples that were read are zero.
bool is_silent(const Reading& reading);

/// Returns the detection threshold: the smallest amplitude of a tone that an attempt would have
/// found or flagged.
double floor_of(const Reading& reading, const Level& level, const Window& window);

/// Returns the detection threshold of an attempt of the voting method.
double floor_of(const Reading& reading, const VotingLevel& level);

/// `reading` must be pruned.
Decision judge(const Reading& reading, const Attempted& attempted,
               const PhaseParameters& parameters, double tolerance);
Decision judge(const Reading& reading, const Attempted& attempted,
               const VotingParameters& parameters, double tolerance);

}  // namespace imago::sparse
