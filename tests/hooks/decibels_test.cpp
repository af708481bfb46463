// This file tests levels in decibels for numbers of every size, and for numbers that are not
// finite.
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include <imago/imago.hpp>

#include "api/support.hpp"
#include "hooks/trial.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::test;

namespace {

constexpr double kFloor = 1e-9;

/// Returns numbers from the smallest to the largest of a type, then NaN and infinity.
template <class Real>
std::vector<Real> parts() {
  using Limits = std::numeric_limits<Real>;
  return {0,
          1,
          Real(0.7),
          -3,
          Limits::min() * 64,
          -Limits::max() / 16,
          Real(1e-18),
          Real(1e19),
          -Real(1e20),
          Limits::quiet_NaN(),
          Limits::infinity(),
          -Limits::infinity()};
}

double level_of(double magnitude, double floor) {
  if (std::isnan(magnitude)) return magnitude;
  return std::max(20 * std::log10(magnitude), 10 * std::log10(floor));
}

/// Returns a transform of one element per member, which does not change it, and stores levels.
template <class Real>
Transform transform_of(std::size_t batch, bool real, double floor) {
  Transform transform{.kind = real ? Kind::dct2 : Kind::complex, .lengths = {1}};
  transform.precision = sizeof(Real) == 8 ? Precision::f64 : Precision::f32;
  transform.batch = batch;
  transform.directions = Directions::forward;
  transform.on_forward = {.load = {hook::scale(real ? 0.5 : 1.0)},
                          .store = {hook::decibels(floor)}};
  return transform;
}

template <class Real>
void check_levels(const std::vector<Real>& levels, const std::vector<double>& magnitudes,
                  double floor) {
  REQUIRE(levels.size() == magnitudes.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double wanted = level_of(magnitudes[i], floor);
    CAPTURE(i, magnitudes[i], wanted, levels[i]);
    if (std::isnan(wanted)) {
      CHECK(std::isnan(levels[i]));
    } else if (std::isinf(wanted)) {
      CHECK((std::isinf(levels[i]) && levels[i] > 0));
    } else {
      CHECK(std::abs(levels[i] - wanted) < (sizeof(Real) == 8 ? 1e-10 : 2e-4));
    }
  }
}

/// Calls `body` with numbers and their magnitudes: real numbers, and all pairs of parts.
template <class Real, class Body>
void each_input(const Body& body) {
  std::vector<Real> real, pairs;
  std::vector<double> of_real, of_pairs;
  for (const Real re : parts<Real>()) {
    real.push_back(re), of_real.push_back(std::abs(double(re)));
    for (const Real im : parts<Real>()) {
      pairs.push_back(re), pairs.push_back(im);
      const bool nan = std::isnan(re) || std::isnan(im);
      of_pairs.push_back(nan ? std::nan("") : std::hypot(double(re), double(im)));
    }
  }
  for (const double floor : {kFloor, 1e-300}) body(real, of_real, true, floor);
  for (const double floor : {kFloor, 1e-300}) body(pairs, of_pairs, false, floor);
}

template <class Real>
std::vector<Real> numbers_in(const std::vector<std::byte>& bytes) {
  std::vector<Real> numbers(bytes.size() / sizeof(Real));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

template <class Real>
void on_the_interpreter() {
  each_input<Real>([](const auto& in, const auto& magnitudes, bool real, double floor) {
    const auto* first = reinterpret_cast<const std::byte*>(in.data());
    for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
      const auto out =
          interpreted(transform_of<Real>(magnitudes.size(), real, floor), mapping,
                      std::vector<std::byte>(first, first + in.size() * sizeof(Real)), {});
      check_levels(numbers_in<Real>(out), magnitudes, floor);
    }
  });
}

template <class Real>
void on_the_device() {
  const Device device;
  each_input<Real>([&](const auto& in, const auto& magnitudes, bool real, double floor) {
    const auto transform = transform_of<Real>(magnitudes.size(), real, floor);
    for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
      Options options{.profiles = false};
      options.parameters.mapping = mapping;
      const Plan plan(device.context, device.device, transform, options);
      std::vector<Real> copy(in), levels(magnitudes.size());
      const cl::Buffer from(device.context, CL_MEM_COPY_HOST_PTR, copy.size() * sizeof(Real),
                            copy.data());
      const cl::Buffer to(device.context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
      plan.forward(device.queue, from, to);
      device.queue.enqueueReadBuffer(to, CL_TRUE, 0, levels.size() * sizeof(Real), levels.data());
      check_levels(levels, magnitudes, floor);
    }
  });
}

TEST_CASE("Decibels keep NaN and infinity, and have the range of their type") {
  on_the_interpreter<float>();
  on_the_interpreter<double>();
}

TEST_CASE("Decibels on a device keep NaN and infinity, and have the range of their type",
          "[long]") {
  on_the_device<float>();
  on_the_device<double>();
}

}  // namespace
