// This file chooses the parameters of the phase method for each attempt: the number of buckets, the
// window and the shifts. Pure functions (docs/sparse/method.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device/facts.hpp"
#include "sparse/request.hpp"
#include "sparse/window.hpp"

namespace imago::sparse {

constexpr unsigned kHashes = 3;  ///< Dilations per attempt. Two tones may share a bucket in two of
                                 ///< them.

/// The parameters of one attempt. It computes the spectra of `kHashes` dilated copies of the
/// signal, each at shifts() time shifts, folded to 2^log_buckets points.
struct Level {
  unsigned log_buckets = 8;
  unsigned step = 4;                ///< bits of the frequency that each further shift determines
  std::vector<unsigned> exponents;  ///< shift l + 1 is 2^exponents[l] dilated steps; shift 0 is 0
  unsigned rounds = 4;              ///< rounds of peeling that are enqueued first; more may follow

  std::uint64_t buckets() const { return std::uint64_t{1} << log_buckets; }
  unsigned shifts() const { return 1 + static_cast<unsigned>(exponents.size()); }
  std::uint64_t spectra() const { return kHashes * std::uint64_t{shifts()}; }
  std::uint64_t capacity() const { return buckets(); }    ///< maximum number of tones of an attempt
  std::uint64_t slots() const { return 2 * capacity(); }  ///< slots of the hash table of tones
  /// Returns the number of signal elements that an attempt reads.
  std::uint64_t samples(const Window& window) const { return spectra() * window.width * buckets(); }
  /// Returns the detection threshold: a bucket holds a tone if it exceeds this times the noise of
  /// the buckets. The threshold is high enough to determine the phase to a fraction of a step.
  double threshold() const;
};

/// Returns the level with 2^log_buckets buckets for a signal of n elements.
Level make_level(std::uint64_t n, unsigned log_buckets, unsigned step);

/// Levels with increasing numbers of buckets.
struct PhaseParameters {
  Window window;
  std::vector<Level> fine;    ///< small steps of the location, for noisy signals
  std::vector<Level> coarse;  ///< large steps; as many levels as `fine`, with the same buckets
  unsigned rounds = 8;  ///< rounds of peeling that follow at a time if a level's rounds are not
                        ///< enough
  unsigned passes = 1;  ///< passes of refinement of a first attempt, at least 1
  unsigned later_passes = 2;  ///< passes of later attempts, which mostly have noise
  double rounding = 3e-7;     ///< noise of the arithmetic, relative to the largest amplitude

  const Level& level(std::size_t index, bool noisy) const {
    return noisy ? fine[index] : coarse[index];
  }
  /// Returns the largest number of shifts of any level.
  unsigned most_shifts() const;
  /// Returns the noise of the method itself, relative to the largest amplitude.
  double own_noise() const { return window.leak() + rounding; }
};

/// Minimum length of the phase method, and the first length above its maximum.
constexpr std::uint64_t kLeastPhaseLength = 2048, kPhaseLengthLimit = std::uint64_t{1} << 32;

/// The scarce resource of a device. If launches take most of an attempt, more samples are read to
/// save launches.
enum class Dear { samples, launches };
Dear dear_on(const device::Facts& facts);

/// Returns nullopt if the method does not suit the length or the sparsity.
std::optional<PhaseParameters> phase_parameters(const Request& request, Dear dear = Dear::samples);

/// Returns the predicted seconds of one attempt.
double seconds(const PhaseParameters& parameters, const Level& level, const device::Facts& facts);
/// Returns the launches of one attempt, without those of the transform of the buckets.
unsigned launches(const PhaseParameters& parameters, const Level& level);

}  // namespace imago::sparse
