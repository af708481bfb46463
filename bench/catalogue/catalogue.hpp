// This file defines the catalogue of problems that the tests, `imago selftest` and the benchmark
// share: the cases of each tier, and the check of a case on a device against FFTW in a higher
// precision.
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

/// ci: stratified and seeded cases, every boundary of the planner and its neighbours, every pair of
/// properties of shapes, kinds, layouts and precisions; under 8 minutes on two cores. full: every
/// smooth complex length to 1024 in every mapping, placement, direction and precision; every length
/// to 4096, complex and real, in every precision; every cosine and sine transform of every length
/// to 1024 and of some to 2^20; primes and products of primes up to 10^6; random shapes and layouts
/// of one to four dimensions; lengths up to 2^24 (f32) and 2^22 (f64).
enum class Tier { ci, full };

/// Returns the cases of a tier for a device, always in the same order. `seed` selects the random
/// ones. Cases with the same kernels are adjacent.
std::vector<Case> cases(Tier tier, std::uint64_t seed, const device::Facts& facts);

enum class Verdict {
  passed,
  failed,
  skipped,     ///< the device lacks memory or the precision
  unsupported  ///< imago threw Unsupported
};

/// The outcome of a case. `detail` is the reason if the case did not pass.
struct Outcome {
  Verdict verdict = Verdict::failed;
  double error = 0;  ///< relative L2 error pooled over at least 4096 elements
  double bound = 0;  ///< upper limit of it
  std::string detail = {};
  double worst = 0;        ///< largest error of one transform, relative to its own norm
  double worst_bound = 0;  ///< upper limit of it
};

/// Returns the published bound of the pooled relative L2 error (docs/architecture.md) for N points
/// with small prime factors. For cosine and sine transforms N is the length of the equivalent DFT.
/// With `pairs`, f64 is computed in pairs of f32 (docs/pairs.md).
double error_bound(Precision precision, std::uint64_t points, bool pairs = false);
/// Returns the bound for a case: three times the share of the arithmetic if a length needs Rader's
/// or Bluestein's algorithm.
double error_bound(const Case& problem, bool pairs = false);

/// Returns true if plans with these options compute f64 in pairs of f32 on the device.
bool uses_pairs(const cl::Device& device, const Options& options);

/// Least number of elements that the published bound is pooled over.
inline constexpr std::uint64_t kPooled = 4096;
/// Number of marked elements after the last one of each array, and before the first. In place with
/// a real axis, only the offset of the layout comes before the first.
inline constexpr std::uint64_t kGuard = 64;

/// The buffers of a call. The second ones hold the imaginary parts of planar data, else they are
/// null. In place the target is the source.
struct Arrays {
  std::array<cl::Buffer, 2> source, target;
};

/// Checks cases on one device. It checks the error against FFTW in a higher precision, pooled and
/// of the worst transform; that nothing outside the result is written; that the input of an
/// out-of-place call is unchanged; and that results which symmetry makes real are real. The
/// transforms of a batch differ in size by 10^6 (f32) or 10^12 (f64). In a second call some hold
/// NaN and infinity, which must not affect the results of the others. The plans of the last few
/// cases are cached, so that adjacent cases share kernels. Not thread-safe.
class Verifier {
 public:
  /// Small transforms are repeated until `pooled` elements exist. Below 4096 (for devices on which
  /// each transform is slow) the bound is that of a single transform, twice the published one.
  Verifier(const cl::Context& context, const cl::Device& device, Options options = {},
           std::uint64_t pooled = kPooled);
  ~Verifier();
  /// An exception of the library makes a case fail, except Unsupported. A case is skipped only if
  /// the device lacks memory or the precision.
  Outcome verify(const Case& problem);

  /// Called between the transform and the comparison, for the tests that mistakes are found.
  using Tamper = std::function<void(const cl::CommandQueue& queue, const Arrays& arrays)>;
  void tamper(Tamper with);
  /// Replaces imago's transform, for the tests that every kind of mistake is found.
  void replace(Tamper with);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::catalogue
