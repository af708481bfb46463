// This file defines the one catalogue of problems that the tests, `imago selftest` and the
// benchmark share: what a case is, which cases a tier holds, and how a case is checked on a device
// against FFTW of a higher precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/parameters.hpp>
#include <imago/plan.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "plan/planner.hpp"

namespace imago::catalogue {

enum class Direction { forward, inverse };

/// Where one side of a transform lies: `offset` elements before the first member, and `gap` unused
/// elements after each member (the distance is length + gap).
struct Spacing {
  std::size_t offset = 0;
  std::size_t gap = 0;
  friend bool operator==(const Spacing&, const Spacing&) = default;
};

/// One problem with the way it is computed: a value that a name stands for.
struct Case {
  std::uint64_t length = 1;
  std::uint64_t batch = 1;
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  Direction direction = Direction::forward;
  Norm norm = Norm::backward;
  Spacing source, target;  ///< what the call reads and writes; in place they are equal
  Parameters parameters;   ///< what is forced; automatic members are chosen for the device

  /// Unique, one word, read by parse(): "360x17-f32-out-forward-ortho-s3+2-vector".
  std::string name() const;
  /// What a Plan is made from; only this case's direction is compiled.
  Transform transform() const;
  /// What the planner is asked for.
  plan::Request request() const;
  /// The factor of the result that the norm asks for.
  double scale() const;
  friend bool operator==(const Case&, const Case&) = default;
};

/// The case that a name stands for. Throws InvalidArgument for anything that name() does not write.
Case parse(const std::string& name);

/// ci: stratified and seeded, every boundary of the planner and its neighbours, under 8 minutes on
/// two cores. full: every length, mapping, placement, direction and precision to 1024, rotated
/// combinations to 4096, and single lengths up to 2^24 (f32) and 2^22 (f64).
enum class Tier { ci, full };

/// The cases of a tier for a device, always in the same order; `seed` picks the random ones. Cases
/// that share kernels are neighbours. f64 only where the device has it.
std::vector<Case> cases(Tier tier, std::uint64_t seed, const device::Facts& facts);

/// How a case went. Neither passed nor skipped: it failed, and `detail` says how.
struct Outcome {
  bool passed = false;
  bool skipped = false;  ///< the device cannot (memory, precision); `detail` says why
  double error = 0;      ///< relative L2 error pooled over at least 4096 elements
  double bound = 0;      ///< what it must stay below
  std::string detail;
};

/// The published bound of the pooled relative L2 error (docs/architecture.md) for a length.
double error_bound(Precision precision, std::uint64_t length);

/// Elements that the published bound is pooled over, at least.
inline constexpr std::uint64_t kPooled = 4096;

/// Checks cases on one device: the error against FFTW of a higher precision, that nothing outside
/// the result is written, and that the input of an out-of-place call is unchanged. Keeps the plans
/// of the last few cases, so that neighbours share kernels. Not to be used from two threads at
/// once.
class Verifier {
 public:
  /// Small transforms are repeated until `pooled` elements are there. Below 4096 (where each is
  /// slow) the bound is that of a single transform, twice the published one.
  Verifier(const cl::Context& context, const cl::Device& device, Options options = {},
           std::uint64_t pooled = kPooled);
  ~Verifier();
  /// An exception of the library is a failed case. Only what the device's memory or precisions
  /// cannot hold is skipped.
  Outcome verify(const Case& problem);

  /// Between the transform and the comparison: for the test that a mistake is found.
  using Tamper = std::function<void(const cl::CommandQueue& queue, const cl::Buffer& source,
                                    const cl::Buffer& target)>;
  void tamper(Tamper with);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same for a single case.
Outcome verify(const cl::Context& context, const cl::Device& device, const Case& problem);

}  // namespace imago::catalogue
