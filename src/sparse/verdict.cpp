// This file decides the verdict on an attempt of the phase or voting method.
#include "sparse/verdict.hpp"

#include <algorithm>
#include <optional>

#include "sparse/selection.hpp"

namespace imago::sparse {
namespace {

constexpr double kNoisyThreshold = 0.05;  // fraction of the peak; finer steps lower the threshold
// Energies are floats; beyond these limits squares overflow or underflow.
constexpr double kLeastEnergy = 1e-30, kMostEnergy = 1e30;

// Tones per bucket up to which two passes of refinement reach the rounding error.
constexpr double kCrowded = 0.4;

bool in_range(const Reading& reading) {
  const auto within = [](double energy) { return energy > kLeastEnergy && energy < kMostEnergy; };
  if (is_silent(reading)) return true;
  return within(reading.energy) && within(reading.peak * reading.peak);
}

bool is_crowded(const Reading& reading, const Level& level) {
  return static_cast<double>(reading.tones.size()) >
         kCrowded * static_cast<double>(level.buckets());
}

/// Returns the claim that both checks allow.
std::optional<Next> claim(const Reading& reading, const Attempted& attempted, double tolerance) {
  if (!clean(reading)) return {};
  if (reading.residual <= tolerance) return Next::accept_consistent;
  const bool nothing_new = attempted.number > 0 && reading.tones.size() == attempted.common &&
                           attempted.kept == attempted.common;
  if (nothing_new && reading.residual < kUnexplained) return Next::accept_noise_floor;
  return {};
}

/// True if no further attempt follows. Either the maximum number is reached or the numbers are out
/// of range. Or the last level is reached, this is not the first attempt, and agreement of another
/// one would not show a noise floor.
bool is_last(const Reading& reading, const Attempted& attempted, std::size_t last_level,
             unsigned most) {
  if (attempted.number + 1 >= most || !in_range(reading)) return true;
  const bool like_noise = clean(reading) && reading.residual < kUnexplained;
  return attempted.level == last_level && attempted.number > 0 && !like_noise;
}

// A tone of this many times the noise of a bucket is visible in one of the loops, for any phases.
constexpr double kShows = 8;

}  // namespace

bool is_silent(const Reading& reading) {
  return reading.largest == 0 && reading.peak == 0 && reading.tones.empty();
}

bool clean(const Reading& reading) {
  return !reading.full && in_range(reading) && reading.worst <= kCleanBucket * reading.noise;
}

double floor_of(const Reading& reading, const Level& level, const Window& window) {
  const double half_a_bucket_off = window.response(0.5);
  return std::max(level.threshold() * reading.noise / half_a_bucket_off,
                  4 * window.leak() * reading.peak);
}

double floor_of(const Reading& reading, const VotingLevel& level) {
  return std::max(kShows * reading.noise / level.weakest, 4 * level.window.leak * reading.peak);
}

Decision judge(const Reading& reading, const Attempted& attempted,
               const VotingParameters& parameters, double tolerance) {
  if (const auto sure = claim(reading, attempted, tolerance)) return {*sure, 0, false};
  const std::size_t last = parameters.levels.size() - 1;
  if (is_last(reading, attempted, last, parameters.levels.size() + 1)) return {};
  return {Next::retry, std::min(last, attempted.level + 1), false};
}

Decision judge(const Reading& reading, const Attempted& attempted,
               const PhaseParameters& parameters, double tolerance) {
  const std::size_t last = parameters.coarse.size() - 1;
  const Level& level = parameters.level(attempted.level, attempted.fine);
  const bool some_explained = reading.residual < kUnexplained;
  const bool crowded = attempted.level < last && is_crowded(reading, level);
  const auto sure = claim(reading, attempted, tolerance);
  if (sure && !crowded) return {*sure, 0, false};
  if (is_last(reading, attempted, last, kMostAttempts)) return {};

  const bool progress = some_explained || reading.tones.size() > attempted.kept;
  Decision decision{Next::retry, std::min(last, attempted.level + (progress ? 1 : 2)),
                    attempted.fine, sure};
  while (decision.level < last && is_crowded(reading, parameters.level(decision.level, false)))
    ++decision.level;
  if (some_explained && level.threshold() * reading.noise > kNoisyThreshold * reading.peak)
    decision.fine = true;
  return decision;
}

}  // namespace imago::sparse
