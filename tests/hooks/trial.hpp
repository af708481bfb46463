// This file compares one direction of a transform with hooks, on the interpreter or on a device,
// with the same steps on the host.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "catalogue/random.hpp"
#include "problem/computation.hpp"
#include "support/hooked.hpp"

namespace imago::test {

/// One direction of a transform with hooks, or a filter; all data is random.
struct Trial {
  Transform transform;
  std::optional<std::vector<Hook>> filter = {};  ///< hooks of the spectrum of a filter
  Options options = {};
  bool inverse = false;
  bool wide = false;  ///< kernels use the element indices of huge batches
  /// Members of the batch differ in size, and the error of each is measured separately. For hooks
  /// that are linear.
  bool differ = false;
  bool poison = false;  ///< in addition, some members hold NaN or infinity in a second call
  HostArguments arguments = {};
  HostFunction function = {};

  /// Returns the filter, whose factor is that of both directions.
  FilterShape filter_shape() const;
  problem::Computation computation() const {
    return filter ? problem::Computation(filter_shape()) : problem::Computation(transform);
  }
};

struct HostCall;
/// Both return the plan's description.
std::string on_device(const Trial& trial, const HostCall& host);
std::string on_interpreter(const Trial& trial, const HostCall& host);

using Compute = std::string(const Trial&, const HostCall&);
/// Fails the test if results differ from the host's, or if anything else is written. Does the same
/// with both sorts of generic kernels on the device.
void run(Trial trial, Compute* compute);

/// Does the same only with both sorts of generic kernels, which must be able to compute the trial.
void run_generic(Trial trial);

/// Returns the output of one direction of a transform on the interpreter, in one mapping. The
/// arguments are in the order in which the hooks name them.
std::vector<std::byte> interpreted(const problem::Computation& computation, Mapping mapping,
                                   std::vector<std::byte> in,
                                   std::vector<std::vector<std::byte>> arguments);

/// Returns random numbers that are exact in single precision.
std::vector<Complex> numbers(std::size_t count, unsigned seed, bool real);
/// Returns a window without zeros; a complex one turns its samples.
std::vector<Complex> window_of(std::size_t length, bool complex = false);

struct Shape {
  std::vector<std::size_t> lengths;
  std::size_t batch = 1;
};

/// Shapes whose kernels have different properties.
inline const std::vector<Shape> kShapes{
    {{1}, 3},    {{8}, 37},     {{15}, 5},      {{16}, 16},       {{60}, 3},
    {{127}, 3},  {{243}, 2},    {{1009}, 2},    {{1024}, 3},      {{4099}, 1},
    {{6, 8}, 5}, {{16, 16}, 3}, {{5, 7, 9}, 2}, {{32, 1, 24}, 2}, {{12, 64}, 3}};

/// Calls the body with a trial of each shape in both mappings, for these kinds.
void over(const std::vector<Shape>& shapes, const std::vector<Kind>& kinds,
          const std::function<void(const Trial&)>& body);
inline void over(const std::vector<Shape>& shapes, const std::function<void(const Trial&)>& body) {
  over(shapes, {Kind::complex, Kind::real, Kind::dct2}, body);
}

/// Calls the body with a random generator of each of `count` seeds, or of every twentieth if
/// $IMAGO_TEST_SAMPLE is set. A failure prints the seed; $IMAGO_TEST_SEED selects one.
void over_seeds(std::size_t count, const std::function<void(catalogue::Random&)>& body);
/// Returns the options of plans that have generic kernels for all their calls.
Options on_generic_kernels();
/// Fails the test if the description does not say that all kernels are generic.
void check_generic(const std::string& description);

}  // namespace imago::test
