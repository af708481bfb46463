// This file chooses the parameters of the phase method: how many buckets, which window, which
// shifts, for each of the attempts that may follow one another. Pure functions (docs/sparse.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device/facts.hpp"
#include "sparse/request.hpp"
#include "sparse/window.hpp"

namespace imago::sparse {

constexpr unsigned kHashes = 3;  ///< dilations per attempt; two tones may meet in two of them

/// What one attempt computes: the spectra of `kHashes` dilated copies of the signal, each at
/// shifts() time shifts, folded to 2^log_buckets points.
struct Level {
  unsigned log_buckets = 8;
  unsigned step = 4;                ///< bits of the frequency that a further shift decides
  std::vector<unsigned> exponents;  ///< shift l + 1 is 2^exponents[l] dilated steps, shift 0 is 0
  unsigned rounds = 4;              ///< of peeling, enqueued at first; more may follow

  std::uint64_t buckets() const { return std::uint64_t{1} << log_buckets; }
  unsigned shifts() const { return 1 + static_cast<unsigned>(exponents.size()); }
  std::uint64_t spectra() const { return kHashes * std::uint64_t{shifts()}; }
  std::uint64_t capacity() const { return buckets(); }    ///< tones that an attempt can hold
  std::uint64_t slots() const { return 2 * capacity(); }  ///< slots of the hash table of tones
  /// Elements of the signal that an attempt reads.
  std::uint64_t samples(const Window& window) const { return spectra() * window.width * buckets(); }
  /// A tone is taken for one when its bucket exceeds this times the noise of the buckets: the phase
  /// must be known to a part of a step.
  double threshold() const;
};

/// The level of so many buckets for a signal of n elements.
Level make_level(std::uint64_t n, unsigned log_buckets, unsigned step);

/// A ladder of levels: each has more buckets than the one before it.
struct PhaseParameters {
  Window window;
  std::vector<Level> fine;    ///< small steps of the location, for noisy signals
  std::vector<Level> coarse;  ///< large ones; as many as fine, with the same buckets
  unsigned rounds = 8;     ///< rounds of peeling that follow at a time, where a level's do not do
  unsigned passes = 1;     ///< passes of refinement, 1 or more
  double rounding = 3e-7;  ///< noise of the arithmetic over the largest amplitude

  const Level& level(std::size_t index, bool noisy) const {
    return noisy ? fine[index] : coarse[index];
  }
  /// The most shifts that any level has.
  unsigned most_shifts() const;
  /// Noise that the method itself makes, over the largest amplitude.
  double own_noise() const { return window.leak() + rounding; }
};

/// Least length that the phase method takes, and the first that it does not.
constexpr std::uint64_t kLeastPhaseLength = 2048, kPhaseLengthLimit = std::uint64_t{1} << 32;

/// What a device has little of: where launches take most of an attempt, more samples are read for
/// fewer of them.
enum class Dear { samples, launches };
Dear dear_on(const device::Facts& facts);

/// Empty where the method does not fit the length or the sparsity.
std::optional<PhaseParameters> phase_parameters(const Request& request, Dear dear = Dear::samples);

/// Predicted seconds of one attempt.
double seconds(const PhaseParameters& parameters, const Level& level, const device::Facts& facts);
/// Launches of one attempt beside those of the transform of the buckets.
unsigned launches(const PhaseParameters& parameters, const Level& level);

}  // namespace imago::sparse
