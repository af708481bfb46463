// This file describes a sparse Fourier transform and its result by plain values, which need neither
// a device nor OpenCL.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <imago/transform.hpp>

namespace imago {

/// Method that finds the coefficients of a sparse spectrum.
enum class SparseMethod {
  automatic,  ///< phase; with allow_dense, dense if phase does not fit or is not predicted to be
              ///< clearly faster
  phase,  ///< permuted, windowed buckets; the phase between shifted copies locates a tone, which is
          ///< then subtracted (docs/sparse/method.md)
  voting,  ///< flat window, location by reverse hashing and voting (Wang, Chandrasekaran, Chapman:
           ///< cusFFT, IPDPS 2016; Hassanieh et al.: sFFT 1.0, SODA 2012); powers of two from 4096
           ///< to 2^31 only
  dense    ///< the whole transform, whose largest coefficients are kept
};

/// Confidence in a result.
enum class Verdict {
  /// All samples were read. ||x - xhat|| / ||x|| is at most `residual`, which is within the
  /// tolerance. Every |X[f]| above `floor` is listed, and the error of every listed value is at
  /// most `floor`. The dense transform and Assurance::verified give this verdict.
  verified,
  /// The samples that were read agree with the result: the remaining buckets hold noise, and
  /// `checked` additional random samples equal the sum of the coefficients. Their root mean square
  /// error is `residual`, within the tolerance; their largest error is `difference`. A fraction of
  /// `unseen` of the samples may differ by more: an impulse, a burst, one NaN.
  consistent,
  /// The residual exceeds the tolerance, but the remainder looks like noise. Every |X[f]| above
  /// `floor` is listed, and `residual` is the relative size of the noise. The phase and voting
  /// methods made another attempt with new random numbers, which found no other coefficients. Their
  /// verdict holds for the samples that were read, like `consistent`. The dense transform reads all
  /// samples.
  noise_floor,
  /// None of the above. The signal is not sparse, not finite, too noisy, or its amplitudes are
  /// outside 1e-15 to 1e15, where the phase and voting methods give no verdict. The coefficients
  /// that were found are listed.
  unverified
};

/// Verification that a result needs; without it, imago computes the dense transform.
enum class Assurance {
  consistent,  ///< uses the samples that are read anyway: the fastest
  verified     ///< reads the whole signal in one more pass (docs/sparse/verdicts.md has the cost)
};

/// Description of a sparse transform: the few large coefficients of the DFT of a signal.
struct SparseTransform {
  std::size_t length = 0;     ///< length n of the signal, at least 1
  std::size_t sparsity = 0;   ///< expected number of coefficients, at most the length of the
                              ///< spectrum; a hint, may be wrong; 0: unknown
  Kind kind = Kind::complex;  ///< complex, or real for real numbers, with indices from 0 to n/2
  Precision precision = Precision::f32;           ///< f32 or f64, for the signal and the arithmetic
  SparseMethod method = SparseMethod::automatic;  ///< method that finds the coefficients
  bool allow_dense = true;  ///< true: computes the dense transform if the sparse one has no verdict
  double tolerance = 0;  ///< largest relative (L2) residual, below 1; 0: 1e-4 in f32, 1e-7 in f64,
                         ///< or 1.15 times the noise if that is more
  double noise = 0;  ///< known noise level ||noise|| / ||signal||, below 1; 0: imago estimates it
  /// Seed of the random numbers. Calls with the same seed and signal return the same indices and
  /// verdict, and the same values up to rounding. An attacker who knows the seed can build a signal
  /// that defeats the check. Not set: each call draws a seed.
  std::optional<std::uint64_t> seed = {};
  Assurance assurance = Assurance::consistent;  ///< verification that a result needs
  friend bool operator==(const SparseTransform&, const SparseTransform&) = default;
};

/// Confidence level of SparseSpectrum::unseen.
inline constexpr double kSparseConfidence = 0.999;

/// Result of a sparse transform.
struct SparseSpectrum {
  std::vector<std::uint64_t> indices;  ///< indices f, ascending; for a real signal from 0 to n/2
  std::vector<std::complex<double>>
      values;  ///< X[f] = sum_t x[t] exp(-2 pi i f t / n), unnormalised, as Plan computes it
  Verdict verdict = Verdict::unverified;  ///< confidence in the result
  /// ||x - xhat|| / ||x||. With the phase and voting methods it is that of the checked samples, or
  /// an upper bound for a verified result. With the dense transform it is that of all samples.
  double residual = 1;
  /// Detection threshold: smallest |X[f]| that would have been found; infinity if unknown.
  double floor = std::numeric_limits<double>::infinity();
  std::uint64_t checked = 0;  ///< number of random samples compared with the sum of coefficients
  double difference = 0;      ///< largest |x - xhat| of the checked samples
  /// Largest fraction of the signal's samples that may differ by more than `difference`, at a
  /// confidence of kSparseConfidence; 0 if all samples were read.
  double unseen = 1;
  std::uint64_t seed = 0;  ///< seed that was used: the call's, the transform's, or a random one
  SparseMethod used = SparseMethod::automatic;  ///< method of the result: phase, voting or dense
  std::uint64_t samples = 0;                    ///< number of samples read in all attempts
  int attempts = 0;  ///< number of sparse attempts, each with new random numbers
};

}  // namespace imago
