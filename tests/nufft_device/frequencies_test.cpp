// This file compares nonuniform transforms of type 3 with direct sums in long double.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "catalogue/random.hpp"
#include "nufft_device/sums.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;
using namespace imago::test;

TEST_CASE("type 3 has real strengths", "[nufft][without_doubles_sample][without_doubles][long]") {
  const Device& device = default_device();
  NufftTransform transform{.tolerance = 1e-5, .batch = 2};
  transform.axes = 1;
  transform.types = NufftTypes::type3;
  NufftPlan complex_plan(device.context, device.device, transform);
  transform.real = true;
  NufftPlan plan(device.context, device.device, transform);
  const std::size_t count = 50, targets = 20;
  const auto c = numbers<float>(2 * count, 1);
  std::vector<float> reals;
  std::vector<std::complex<float>> complexes;
  for (const auto& number : c) {
    reals.push_back(number.real());
    complexes.emplace_back(number.real());
  }
  const auto x = device.upload(numbers<float>(count, 2)),
             s = device.upload(numbers<float>(count, 3));
  const auto to = device.allocate(2 * targets * 8), all = device.allocate(2 * targets * 8);
  plan.set_points(device.queue, {{x}, count}, {{s}, targets});
  complex_plan.set_points(device.queue, {{x}, count}, {{s}, targets});
  CHECK(plan.points_bytes() == 2 * count * sizeof(float));
  CHECK(plan.modes_bytes() == 2 * targets * 8);
  const auto from_reals = device.upload(reals), from_complexes = device.upload(complexes);
  plan.type3(device.queue, from_reals, to);
  complex_plan.type3(device.queue, from_complexes, all);
  CHECK(downloaded<float>(to, 2 * targets) == downloaded<float>(all, 2 * targets));
}

namespace {

/// Random points around `middle`, and frequencies around `centre`.
struct Case {
  std::size_t axes, points, frequencies;
  double reach, middle, band, centre;
  double tolerance;
  Coordinates coordinates = Coordinates::radians_f64;
};

/// Coordinates of an axis: the doubles that the device has, and its array.
struct Axis {
  Axis(std::size_t count, double middle, double reach, Coordinates type,
       catalogue::Random& random) {
    for (std::size_t i = 0; i < std::max<std::size_t>(1, count); ++i)
      values.push_back(middle + reach * random.uniform());
    if (type == Coordinates::radians_f64) {
      buffer = default_device().upload(values);
      return;
    }
    const std::vector<float> rounded(values.begin(), values.end());
    buffer = default_device().upload(rounded);
    values.assign(rounded.begin(), rounded.end());
  }

  std::vector<double> values;
  cl::Buffer buffer;
};

NufftTransform transform_of(const Case& c, Precision precision) {
  NufftTransform transform{.tolerance = c.tolerance, .precision = precision, .batch = 2};
  transform.axes = c.axes;
  transform.types = NufftTypes::type3;
  transform.coordinates = c.coordinates;
  transform.sign = -1;
  return transform;
}

/// Returns exp(-i s x). The product is rounded to 64 bits, and its error is another angle.
Long root_of(long double s, long double x) {
  const long double product = s * x, error = std::fma(s, x, -product);
  return std::polar(1.0L, -product) * std::polar(1.0L, -error);
}

template <class Real>
void check(const Case& c, FirstCall first_call = FirstCall::compile) {
  const Device& device = default_device();
  const NufftTransform transform =
      transform_of(c, sizeof(Real) == 8 ? Precision::f64 : Precision::f32);
  Options options;
  options.first_call = first_call;
  NufftPlan plan(device.context, device.device, transform, options);
  catalogue::Random random(9);
  std::vector<Axis> x, s;
  NufftPoints points{{}, c.points}, frequencies{{}, c.frequencies};
  for (std::size_t axis = 0; axis < c.axes; ++axis) {
    x.emplace_back(c.points, c.middle, c.reach, c.coordinates, random);
    s.emplace_back(c.frequencies, c.centre, c.band, c.coordinates, random);
  }
  for (const Axis& axis : x) points.coordinates.emplace_back(axis.buffer);
  for (const Axis& axis : s) frequencies.coordinates.emplace_back(axis.buffer);
  plan.set_points(device.queue, points, frequencies);
  const auto strengths = numbers<Real>(2 * c.points, 8);
  const auto values = device.allocate(std::max<std::size_t>(16, plan.modes_bytes()));
  plan.type3(device.queue, device.upload(strengths), values);
  const auto computed = downloaded<Real>(values, 2 * c.frequencies);
  for (std::size_t member = 0; member < 2 && c.frequencies > 0; ++member) {
    std::vector<Long> sums(c.frequencies);
    for (std::size_t k = 0; k < c.frequencies; ++k) {
      for (std::size_t j = 0; j < c.points; ++j) {
        Long root = 1;
        for (std::size_t axis = 0; axis < c.axes; ++axis)
          root *= root_of(s[axis].values[k], x[axis].values[j]);
        sums[k] += Long(strengths[member * c.points + j]) * root;
      }
    }
    const long double norm = norm_of(strengths.data() + member * c.points, c.points);
    INFO(c.axes << " axes, " << c.points << " points, reach " << c.reach << ", middle " << c.middle
                << ", tolerance " << c.tolerance);
    const long double scale =
        norm == 0 ? 1 : norm * std::sqrt(static_cast<long double>(c.frequencies));
    CHECK(error_of(computed.data() + member * c.frequencies, sums, scale) / c.tolerance <= 1);
  }
}

/// Returns the kernels of a type 3 for these extents that were written by hand, without those of
/// the grid's Fourier transform.
std::set<std::string> written_kernels(NufftPlan& plan, const Case& c) {
  const Device& device = default_device();
  catalogue::Random random(3);
  const Axis x(c.points, c.middle, c.reach, c.coordinates, random),
      s(c.frequencies, c.centre, c.band, c.coordinates, random);
  plan.set_points(device.queue, {{x.buffer}, c.points}, {{s.buffer}, c.frequencies});
  std::set<std::string> found;
  for (const KernelSource& kernel : plan.sources()) {
    if (kernel.name.starts_with("nufft_"))
      found.insert(kernel.name + " " + kernel.options + "\n" + kernel.source);
  }
  return found;
}

/// Case i of a series that combines all choices. Few products of extents occur, because each grid
/// needs kernels.
void check_random(std::uint64_t i, FirstCall first_call = FirstCall::compile) {
  catalogue::Random random(i + 1);
  static constexpr double kTolerances[] = {1e-2, 1e-4, 1e-6, 1e-9, 1e-13};
  static constexpr std::size_t kCounts[] = {0, 1, 2, 17, 100};
  const auto size = [&] { return std::exp(7 * random.uniform()); };
  const auto place = [&] { return random.below(3) == 0 ? 0 : 30 * random.uniform() * size(); };
  const bool f64 = random.uniform() < 0;
  Case c{};
  c.axes = 1 + i % 3;
  c.points = kCounts[random.below(5)];
  c.frequencies = kCounts[random.below(5)];
  c.reach = size();
  c.band = (random.below(2) == 0 ? 3 : 20) / c.reach;
  c.middle = place();
  c.centre = place();
  c.tolerance = kTolerances[random.below(f64 ? 5 : 3)];
  c.coordinates = random.uniform() < 0 ? Coordinates::radians_f32 : Coordinates::radians_f64;
  // A type 3 is two transforms, which cannot both have the smallest tolerance of types 1 and 2.
  c.tolerance = std::max(c.tolerance,
                         least_tolerance(transform_of(c, f64 ? Precision::f64 : Precision::f32)));
  INFO("case " << i);
  f64 ? check<double>(c, first_call) : check<float>(c, first_call);
}

}  // namespace

namespace {

/// Returns the kernels that all extents have in common, after checking that they do.
std::set<std::string> common_kernels(FirstCall first_call) {
  Case c{1, 50, 40, 100, 0, 1, 0, 1e-4};  // small ones have the other upsampling
  const Device& device = default_device();
  Options options;
  options.first_call = first_call;
  NufftPlan plan(device.context, device.device, transform_of(c, Precision::f32), options);
  const auto kernels = written_kernels(plan, c);
  for (const double reach : {1e4, 6e6}) {  // the second needs two passes of the sort
    c.reach = reach;
    INFO("reach " << reach);
    CHECK(written_kernels(plan, c) == kernels);
  }
  return kernels;
}

}  // namespace

TEST_CASE("type 3 has the same kernels for other extents", "[nufft][long]") {
  CHECK(common_kernels(FirstCall::compile).size() > 10);
}
TEST_CASE("type 3 has three generic programs for all extents", "[nufft][nufft_generic]") {
  CHECK(common_kernels(FirstCall::generic).size() == 3);
}

TEST_CASE("type 3 keeps its tolerance in many cases", "[nufft][long]") {
  for (std::uint64_t i = 0; i < 12; ++i) check_random(i);
}

TEST_CASE("type 3 on generic kernels keeps its tolerance", "[nufft][nufft_generic]") {
  for (std::uint64_t i = 0; i < 9; ++i) check_random(i, FirstCall::generic);
}

TEST_CASE("type 3 keeps its tolerance in a thousand cases", "[.][nufft_full]") {
  for (const FirstCall first_call : {FirstCall::compile, FirstCall::generic})
    for (std::uint64_t i = 0; i < 1000; ++i) check_random(i, first_call);
}

TEST_CASE("type 3 in f64 keeps its tolerance", "[nufft][long]") {
  for (const Case& c :
       {Case{1, 200, 100, 1e-3, 5, 2e4, -300, 1e-9}, Case{2, 200, 150, 2, -1, 8, 100, 1e-6},
        Case{1, 1, 20, 0, 2, 7, 1, 1e-6}, Case{1, 50, 40, 3, 1e6, 5, 100, 1e-12},
        Case{1, 50, 40, 1e-300, 0, 1e301, 0, 1e-6}, Case{1, 50, 40, 1e305, 0, 0, 0, 1e-6},
        Case{1, 50, 40, 1e-310, 0, 2, 0, 1e-6}, Case{2, 50, 1, 4, 2, 0, 3, 1e-6},
        Case{1, 200, 100, 3, 40, 40, 7, 1e-12, Coordinates::radians_f32},
        Case{1, 0, 5, 1, 0, 1, 0, 1e-6}, Case{1, 5, 0, 1, 0, 1, 0, 1e-6}})
    check<double>(c);
}

TEST_CASE("type 3 in f32 keeps its tolerance",
          "[nufft][without_doubles][nufft_small_groups][long]") {
  constexpr auto kFloats = Coordinates::radians_f32;
  for (const Case& c :
       {Case{1, 200, 100, 3, 0, 40, 0, 1e-5}, Case{3, 100, 50, 1, 7, 5, 3, 1e-4, kFloats},
        Case{1, 50, 40, 3, 1e9, 5, -1e6, 1e-5}, Case{1, 50, 40, 3, 1e5, 5, 100, 1e-5, kFloats},
        Case{1, 50, 40, 1e-44, 0, 1e38, 0, 1e-5, kFloats}})
    check<float>(c);
  // The smallest tolerance is kept, too.
  Case c{2, 300, 100, 1, 3, 30, 20, 1e-3, kFloats};
  c.tolerance = least_tolerance(transform_of(c, Precision::f32));
  CHECK(c.tolerance < 1e-5);
  check<float>(c);
}
