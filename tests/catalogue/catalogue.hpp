// This file defines the one catalogue of problems that the tests, `imago selftest` and the
// benchmark share: which cases a tier holds, and how a case is checked on a device against FFTW of
// a higher precision.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/plan.hpp>

#include "catalogue/case.hpp"
#include "device/facts.hpp"

namespace imago::catalogue {

/// ci: stratified and seeded, every boundary of the planner and its neighbours, every pair of what
/// shapes, kinds, layouts and precisions can be, under 8 minutes on two cores. full: every smooth
/// complex length to 1024 in every mapping, placement, direction and precision; every length to
/// 4096, complex and real, in every precision; every cosine and sine transform of every length to
/// 1024 and of some to 2^20; primes and products of primes up to 10^6; random
/// shapes and layouts of one to four dimensions; lengths up to 2^24 (f32) and 2^22 (f64).
enum class Tier { ci, full };

/// The cases of a tier for a device, always in the same order; `seed` picks the random ones. Cases
/// that share kernels are neighbours. f64 only where the device has it.
std::vector<Case> cases(Tier tier, std::uint64_t seed, const device::Facts& facts);

enum class Verdict {
  passed,
  failed,
  skipped,     ///< the device cannot (memory, precision)
  unsupported  ///< imago says that it cannot (imago::Unsupported)
};

/// How a case went; `detail` says why it did not pass.
struct Outcome {
  Verdict verdict = Verdict::failed;
  double error = 0;  ///< relative L2 error pooled over at least 4096 elements
  double bound = 0;  ///< what it must stay below
  std::string detail = {};
  double worst = 0;        ///< largest error of one transform, relative to its own norm
  double worst_bound = 0;  ///< what that must stay below
};

/// The published bound of the pooled relative L2 error (docs/architecture.md) for N points whose
/// prime factors are small; of cosine and sine transforms those of the DFT that they stand for.
double error_bound(Precision precision, std::uint64_t points);
/// The same for a case: three times the share of the arithmetic where a length needs Rader's or
/// Bluestein's algorithm.
double error_bound(const Case& problem);

/// Elements that the published bound is pooled over, at least.
inline constexpr std::uint64_t kPooled = 4096;
/// Marked elements after the last one of each array, and before the first (in place with a real
/// axis, the offset of the layout is all there is before).
inline constexpr std::uint64_t kGuard = 64;

/// The buffers of a call; the second ones are the imaginary parts of planar data, else null. In
/// place the target is the source.
struct Arrays {
  std::array<cl::Buffer, 2> source, target;
};

/// Checks cases on one device: the error against FFTW of a higher precision, pooled and of the
/// worst transform, that nothing outside the result is written, and that the input of an
/// out-of-place call is unchanged. The transforms of a batch differ in size by 10^6 (f32) or 10^12
/// (f64); in a second call some hold NaN and infinity, which the results of all others must not
/// show. Keeps the plans of the last few cases, so that neighbours share kernels. Not to be used
/// from two threads at once.
class Verifier {
 public:
  /// Small transforms are repeated until `pooled` elements are there. Below 4096 (where each is
  /// slow) the bound is that of a single transform, twice the published one.
  Verifier(const cl::Context& context, const cl::Device& device, Options options = {},
           std::uint64_t pooled = kPooled);
  ~Verifier();
  /// An exception of the library is a failed case, but for Unsupported. Only what the device's
  /// memory or precisions cannot hold is skipped.
  Outcome verify(const Case& problem);

  /// Between the transform and the comparison: for the test that a mistake is found.
  using Tamper = std::function<void(const cl::CommandQueue& queue, const Arrays& arrays)>;
  void tamper(Tamper with);
  /// Instead of imago's transform: for the test that every kind of mistake is found.
  void replace(Tamper with);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::catalogue
