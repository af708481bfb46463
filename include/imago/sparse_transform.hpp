// This file describes a sparse Fourier transform and its answer: plain values that know no device
// and no OpenCL.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <imago/transform.hpp>

namespace imago {

/// How the coefficients of a sparse spectrum are found.
enum class SparseMethod {
  automatic,  ///< phase, or dense where that is predicted to be faster
  phase,   ///< permuted, windowed buckets; a tone is located by the phase between shifted copies,
           ///< and what was found is peeled off (docs/sparse.md)
  voting,  ///< flat window, location by reverse hashing and voting (Wang, Chandrasekaran, Chapman:
           ///< cusFFT, IPDPS 2016; Hassanieh et al.: sFFT 1.0, SODA 2012); powers of two from 4096
           ///< to 2^31 only
  dense    ///< the whole transform, of which the largest coefficients are kept
};

/// What is known about an answer.
enum class Verdict {
  /// Of the whole signal, every sample of which was read: ||x - xhat|| / ||x|| is at most
  /// `residual`, which is within the tolerance; every |X[f]| above `floor` is listed, and every
  /// listed value is off by `floor` at most. Said by the dense transform, and with
  /// Assurance::verified.
  verified,
  /// Of the samples that were read: the buckets that are left hold noise, and `checked` fresh
  /// random samples are the sum of the coefficients, to `residual` (root mean square, within the
  /// tolerance) and to `difference` (each). A share of `unseen` of the samples may differ by more,
  /// which the answer then knows nothing of: an impulse, a burst, one NaN.
  consistent,
  /// A further attempt with fresh randomness found nothing new, and what is left looks like noise:
  /// every |X[f]| above `floor` is listed, and `residual` is the size of the noise. Like
  /// `consistent`, of the samples that were read.
  noise_floor,
  /// Neither: the signal is not sparse, not finite, too noisy, or of a size that the phase and
  /// voting methods do not judge (amplitudes beyond 1e-15 to 1e15). What was found is listed.
  unverified
};

/// How much must be known about an answer before the dense transform is asked.
enum class Assurance {
  consistent,  ///< what the samples that are read say: the fastest
  verified     ///< one more pass reads the whole signal (docs/sparse.md: what it costs)
};

/// What to compute: the few large coefficients of the DFT of a signal of `length` elements.
struct SparseTransform {
  std::size_t length = 0;    ///< n, from 1
  std::size_t sparsity = 0;  ///< coefficients expected, at most the length of the spectrum; a hint,
                             ///< may be wrong; 0: unknown
  Kind kind = Kind::complex;             ///< or real: reals in, and the listed indices are 0 .. n/2
  Precision precision = Precision::f32;  ///< f32 or f64, for the signal and the arithmetic
  SparseMethod method = SparseMethod::automatic;  ///< how they are found
  bool allow_dense = true;  ///< fall back to the dense transform where the sparse one is not sure
  double tolerance = 0;  ///< largest relative (L2) residual, below 1; 0: 1e-4 in f32, 1e-7 in f64,
                         ///< or 1.15 times the noise where that is more
  double noise = 0;      ///< ||noise|| / ||signal||, below 1; 0: estimate it
  /// Same seed and signal: same indices, values to rounding, and what the samples say of them; a
  /// signal may be made so that this seed does not see it. Empty: each call draws one.
  std::optional<std::uint64_t> seed = {};
  Assurance assurance = Assurance::consistent;  ///< what must be known before an answer is given
  friend bool operator==(const SparseTransform&, const SparseTransform&) = default;
};

/// Of SparseSpectrum::unseen.
inline constexpr double kSparseConfidence = 0.999;

/// The answer.
struct SparseSpectrum {
  std::vector<std::uint64_t> indices;  ///< f, ascending; of a real signal 0 .. n/2
  std::vector<std::complex<double>>
      values;  ///< X[f] = sum_t x[t] exp(-2 pi i f t / n), unnormalised, as Plan gives it
  Verdict verdict = Verdict::unverified;  ///< what is known about the answer
  /// ||x - xhat|| / ||x||: of a verified answer an upper bound; of the dense transform that of all
  /// samples; else that of the checked ones.
  double residual = 1;
  /// Smallest |X[f]| that would have been found; infinity where nothing is known of any.
  double floor = std::numeric_limits<double>::infinity();
  std::uint64_t checked = 0;  ///< fresh random samples compared with the sum of the coefficients
  double difference = 0;      ///< largest |x - xhat| of them
  /// The largest share of the signal's samples that may differ by more than that, at a confidence
  /// of kSparseConfidence; 0 where all were read.
  double unseen = 1;
  std::uint64_t seed = 0;  ///< of the attempts: the call's, the transform's, or one drawn at random
  SparseMethod used = SparseMethod::automatic;  ///< what gave the answer: phase, voting or dense
  std::uint64_t samples = 0;  ///< how many of the signal were read, all attempts together
  int attempts = 0;           ///< with fresh randomness, before a dense transform if there was one
};

}  // namespace imago
