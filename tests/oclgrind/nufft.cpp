// This file runs the kernels of nonuniform transforms under oclgrind: those for CPUs and those for
// GPUs, whatever type the simulated device reports.
#include "oclgrind/nufft.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <imago/nufft.hpp>

#include "catalogue/random.hpp"

namespace imago::test {
namespace {

using Complex = std::complex<double>;

/// Points in turns, in the type of the transform's coordinates.
class Points {
 public:
  Points(const Device& device, Coordinates type, const std::vector<std::vector<double>>& turns)
      : points_{{}, turns.front().size()} {
    for (const auto& axis : turns) {
      buffers_.push_back(uploaded(device, type, axis));
      points_.coordinates.emplace_back(buffers_.back());
    }
  }
  const NufftPoints& on_device() const { return points_; }

 private:
  template <class Number, class Convert>
  static cl::Buffer converted(const Device& device, const std::vector<double>& turns,
                              Convert convert) {
    std::vector<Number> numbers;
    for (const double t : turns) numbers.push_back(static_cast<Number>(convert(t)));
    return device.upload(numbers);
  }
  static cl::Buffer uploaded(const Device& device, Coordinates type,
                             const std::vector<double>& turns) {
    const auto radians = [](double t) { return 2 * std::numbers::pi * t; };
    switch (type) {
      case Coordinates::radians_f32:
        return converted<float>(device, turns, radians);
      case Coordinates::radians_f64:
        return converted<double>(device, turns, radians);
      case Coordinates::fractions_i32:
        return converted<std::uint32_t>(device, turns, [](double t) { return std::ldexp(t, 32); });
      default:
        return converted<std::uint64_t>(device, turns, [](double t) { return std::ldexp(t, 64); });
    }
  }

  std::vector<cl::Buffer> buffers_;
  NufftPoints points_;
};

/// One transform: its points are spread over the whole period, or all in one place.
struct Sums {
  NufftTransform transform;
  std::size_t points = 20;
  bool together = false;
};

std::vector<std::vector<double>> turns_of(const Sums& e, std::size_t axes) {
  catalogue::Random random(5);
  std::vector<std::vector<double>> turns(axes);
  for (auto& axis : turns) {
    for (std::size_t j = 0; j < e.points; ++j)
      axis.push_back(e.together ? 0.99 : 0.5 + 0.4999 * random.uniform());
  }
  return turns;
}

template <class Real>
std::vector<std::complex<Real>> numbers(std::size_t count, std::uint64_t seed) {
  catalogue::Random random(seed);
  std::vector<std::complex<Real>> values(count);
  for (auto& value : values)
    value = {static_cast<Real>(random.uniform()), static_cast<Real>(random.uniform())};
  return values;
}

/// Returns exp(i k x) for all modes k, the first axis slowest.
std::vector<Complex> factors(const std::vector<std::size_t>& modes,
                             const std::vector<std::vector<double>>& turns, std::size_t j) {
  std::vector<Complex> all = {1};
  for (std::size_t axis = 0; axis < modes.size(); ++axis) {
    std::vector<Complex> longer;
    for (const Complex& a : all) {
      for (std::size_t i = 0; i < modes[axis]; ++i) {
        const double k = static_cast<double>(i) - static_cast<double>(modes[axis] / 2);
        longer.push_back(a * std::polar(1.0, 2 * std::numbers::pi * k * turns[axis][j]));
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Returns the distance of results from sums, relative to the norm of the sums.
template <class Real>
double distance(const std::vector<std::complex<Real>>& found, const std::vector<Complex>& sums) {
  double squares = 0, all = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    squares += std::norm(Complex(found[i]) - sums[i]);
    all += std::norm(sums[i]);
  }
  return std::sqrt(squares / all);
}

template <class Real>
std::vector<Real> real_parts(const std::vector<std::complex<Real>>& numbers) {
  std::vector<Real> parts;
  for (const auto& number : numbers) parts.push_back(number.real());
  return parts;
}

/// Returns complex numbers from real or complex ones on the device.
template <class Real>
std::vector<std::complex<Real>> downloaded(const Device& device, const cl::Buffer& buffer,
                                           std::size_t count, bool real) {
  if (!real) return device.download<std::complex<Real>>(buffer, count);
  const auto reals = device.download<Real>(buffer, count);
  return {reals.begin(), reals.end()};
}

/// Computes types 1 and 2 and returns the larger error. If members have points of their own, the
/// second one has none, and the others share the rest.
template <class Real>
double both(const Device& device, const Sums& e, const Options& options) {
  const auto& modes = e.transform.modes;
  const auto turns = turns_of(e, modes.size());
  const Points points(device, e.transform.coordinates, turns);
  NufftPlan plan(device.context, device.device, e.transform, options);
  NufftPoints given_points = points.on_device();
  std::vector<std::size_t>& counts = given_points.counts;
  if (e.transform.points_per_member) {
    counts.assign(e.transform.batch, e.points / (e.transform.batch - 1));
    counts[1] = 0;
    counts[0] = e.points - (e.transform.batch - 2) * counts.back();
  }
  plan.set_points(device.queue, given_points);
  const std::size_t count = plan.modes_bytes() / sizeof(std::complex<Real>),
                    of_member = count / e.transform.batch;
  const bool real = e.transform.real;
  auto strengths = numbers<Real>(e.points, 1);
  const auto given = numbers<Real>(count, 2);
  const auto reals = real_parts(strengths);
  if (real) strengths.assign(reals.begin(), reals.end());
  const auto to_modes = device.allocate(plan.modes_bytes()),
             to_points = device.allocate(plan.points_bytes());
  const auto from_points = real ? device.upload(reals) : device.upload(strengths),
             from_modes = device.upload(given);
  plan.type1(device.queue, from_points, to_modes);
  plan.type2(device.queue, from_modes, to_points);
  std::vector<Complex> sums(count), values(e.points);
  for (std::size_t j = 0, member = 0, end = counts.empty() ? e.points : counts[0]; j < e.points;
       ++j) {
    while (j >= end) end += counts[++member];
    const auto own = factors(modes, turns, j);
    for (std::size_t m = 0; m < of_member; ++m) {
      sums[member * of_member + m] += Complex(strengths[j]) * own[m];
      values[j] += Complex(given[member * of_member + m]) * std::conj(own[m]);
    }
    if (real) values[j] = values[j].real();
  }
  return std::max(distance(device.download<std::complex<Real>>(to_modes, count), sums),
                  distance(downloaded<Real>(device, to_points, e.points, real), values));
}

/// Computes a type 3 along one axis, whose frequencies are not whole.
double third(const Device& device, const Sums& e, const Options& options) {
  const auto turns = turns_of(e, 1), others = turns_of({e.transform, 7}, 1);
  NufftTransform transform = e.transform;
  transform.modes = {};
  transform.axes = 1;
  transform.types = NufftTypes::type3;
  transform.coordinates = Coordinates::radians_f64;
  const Points points(device, transform.coordinates, turns),
      frequencies(device, transform.coordinates, others);
  NufftPlan plan(device.context, device.device, transform, options);
  plan.set_points(device.queue, points.on_device(), frequencies.on_device());
  const auto strengths = numbers<float>(e.points, 1);
  const auto from = device.upload(strengths), to = device.allocate(plan.modes_bytes());
  plan.type3(device.queue, from, to);
  std::vector<Complex> sums;
  for (const double s : others[0]) {
    Complex sum = 0;
    for (std::size_t j = 0; j < e.points; ++j)
      sum += Complex(strengths[j]) *
             std::polar(1.0, std::pow(2 * std::numbers::pi, 2) * s * turns[0][j]);
    sums.push_back(sum);
  }
  return distance(device.download<std::complex<float>>(to, sums.size()), sums);
}

/// Small grids: one bin and several, one pass of the sort and two, two chunks of points, parts of a
/// bin, slabs of a tile that local memory cannot hold, and every type of coordinates.
std::vector<Sums> all_sums(bool has_f64) {
  std::vector<Sums> all;
  const auto add = [&](std::vector<std::size_t> modes, double tolerance, Coordinates coordinates,
                       std::size_t points, bool together = false) {
    NufftTransform transform{.modes = std::move(modes), .tolerance = tolerance};
    transform.coordinates = coordinates;
    all.push_back({transform, points, together});
  };
  add({9}, 1e-2, Coordinates::radians_f32, 30);
  add({150}, 1e-4, Coordinates::fractions_i32, 40);
  add({40}, 1e-2, Coordinates::fractions_i64, 2100, true);
  add({40}, 1e-2, Coordinates::radians_f32, 2100);
  add({30000}, 1e-2, Coordinates::fractions_i32, 10);  // work-groups: several passes of the sort
  add({20, 24}, 1e-3, Coordinates::radians_f32, 20);
  add({3, 5}, 1e-5, Coordinates::fractions_i32, 20);
  all.back().transform.real = true;
  add({6, 5, 4}, 1e-2, Coordinates::radians_f32, 5);
  for (const std::size_t modes : {9, 300}) {  // members with one bin, and with several
    add({modes}, 1e-2, Coordinates::radians_f32, 40);
    all.back().transform.batch = modes == 9 ? 5 : 3;
    all.back().transform.points_per_member = true;
  }
  if (!has_f64) return all;
  add({12, 10}, 1e-4, Coordinates::radians_f64, 12);
  all.back().transform.precision = Precision::f64;
  add({4, 3, 6}, 1e-8, Coordinates::radians_f64, 2);
  all.back().transform.precision = Precision::f64;
  return all;
}

bool is_near(const char* name, const Sums& e, double error) {
  // Rounding of the points to f32 adds to the tolerance.
  const bool near = error <= 2 * e.transform.tolerance;
  std::printf("%s, %zu axes, tolerance %g, %zu points of %zu members%s%s: error %.1e, %s\n", name,
              e.transform.modes.size(), e.transform.tolerance, e.points,
              e.transform.points_per_member ? e.transform.batch : 1,
              e.transform.real ? " with real strengths" : "", e.together ? " together" : "", error,
              near ? "passed" : "FAILED");
  std::fflush(stdout);
  return near;
}

}  // namespace

int run_nufft(const Device& device) {
  const bool has_f64 = device.f64();
  int failures = 0;
  for (const FirstCall first_call : {FirstCall::compile, FirstCall::generic}) {
    for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
      const std::string name = std::string(first_call == FirstCall::generic ? "generic " : "") +
                               (mapping == Mapping::vector ? "vectors" : "work-groups");
      Options options;
      options.disk_cache = false;
      options.trust_device = true;
      options.first_call = first_call;
      options.parameters.mapping = mapping;
      const auto all = all_sums(has_f64);
      for (const Sums& e : all) {
        const double error = e.transform.precision == Precision::f64
                                 ? both<double>(device, e, options)
                                 : both<float>(device, e, options);
        failures += is_near(name.c_str(), e, error) ? 0 : 1;
      }
      if (has_f64)
        failures += is_near(name.c_str(), all.front(), third(device, all.front(), options)) ? 0 : 1;
    }
  }
  return failures;
}

}  // namespace imago::test
