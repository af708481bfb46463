// This file compares nonuniform transforms with direct sums in long double.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

#include <imago/imago.hpp>

#include "catalogue/random.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/larger.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

using Long = std::complex<long double>;
constexpr long double kTurn = 2 * std::numbers::pi_v<long double>;

std::size_t product(const std::vector<std::size_t>& lengths) {
  std::size_t size = 1;
  for (const std::size_t length : lengths) size *= length;
  return size;
}

/// Points of one kind of place: the coordinates as arrays of the transform's type, and exactly.
enum class Places { uniform, far, one_place, cluster, edges, crowd };
constexpr Places kPlaces[] = {Places::uniform, Places::far, Places::one_place, Places::cluster,
                              Places::edges};

double turns_of(Places places, std::size_t j, catalogue::Random& random) {
  switch (places) {
    case Places::uniform:
      return random.uniform() / 2;
    case Places::far:  // on CPUs, points before and beyond what doubles hold exactly are neighbours
      return (j % 4 == 0 ? 12000 : 1000) * random.uniform();
    case Places::one_place:
      return 0.3;
    case Places::cluster:
      return 0.4 + 0.002 * random.uniform();
    case Places::edges:
      return std::vector{-0.5, 0.0, 0.5, 1.0, -1e-9}[j % 5];
    case Places::crowd:  // most in one bin, a thousand in each of its neighbours
      return 0.4 + (j % 4 == 0 ? 0.15 + 0.15 * random.uniform() : 0);
  }
  return 0;
}

/// The points of a case, on the device and exactly (in turns).
struct Points {
  Points(const NufftTransform& transform, std::size_t axes, std::size_t count, Places places,
         std::uint64_t seed)
      : on_device{{}, count}, turns(axes) {
    catalogue::Random random(seed);
    for (std::size_t axis = 0; axis < axes; ++axis) {
      std::vector<double> own(std::max<std::size_t>(1, count));
      for (std::size_t j = 0; j < count; ++j) own[j] = turns_of(places, j, random);
      switch (transform.coordinates) {
        case Coordinates::radians_f32:
          add<float>(
              axis, own, [](double t) { return static_cast<float>(t * double(kTurn)); },
              [](float x) { return x / kTurn; });
          break;
        case Coordinates::radians_f64:
          add<double>(
              axis, own, [](double t) { return t * double(kTurn); },
              [](double x) { return x / kTurn; });
          break;
        case Coordinates::fractions_i32:
          add<std::uint32_t>(
              axis, own,
              [](double t) {
                return static_cast<std::uint32_t>(std::llround(std::ldexp(t - std::floor(t), 32)));
              },
              [](std::uint32_t x) { return std::ldexp(static_cast<long double>(x), -32); });
          break;
        case Coordinates::fractions_i64:
          add<std::uint64_t>(
              axis, own,
              [](double t) {
                return static_cast<std::uint64_t>(std::ldexp(t - std::floor(t), 32)) << 32;
              },
              [](std::uint64_t x) { return std::ldexp(static_cast<long double>(x), -64); });
          break;
      }
    }
    for (const cl::Buffer& buffer : buffers) on_device.coordinates.emplace_back(buffer);
  }

  NufftPoints on_device;
  std::vector<std::vector<long double>> turns;  ///< for each axis
  std::vector<cl::Buffer> buffers;

 private:
  template <class Number, class Round, class Exact>
  void add(std::size_t axis, const std::vector<double>& own, Round round, Exact exact) {
    std::vector<Number> numbers;
    for (const double t : own) numbers.push_back(round(t));
    buffers.push_back(default_device().upload(numbers));
    for (std::size_t j = 0; j < on_device.count; ++j) turns[axis].push_back(exact(numbers[j]));
  }
};

/// Returns exp(2 pi i k turns) for k from -n/2 on, or in the order of a Fourier transform.
std::vector<Long> roots(long double turns, std::size_t n, bool centred) {
  std::vector<Long> values;
  const auto half = static_cast<std::int64_t>(n / 2), all = static_cast<std::int64_t>(n);
  for (std::int64_t i = 0; i < all; ++i) {
    const std::int64_t k = centred ? i - half : i < all - half ? i : i - all;
    const long double phase = static_cast<long double>(k) * turns;
    values.push_back(std::polar(1.0L, kTurn * (phase - std::floor(phase))));
  }
  return values;
}

/// Returns the factor of each mode at point j: exp(i sign k x).
std::vector<Long> factors(const NufftTransform& transform,
                          const std::vector<std::vector<long double>>& turns, std::size_t j) {
  std::vector<Long> all = {1};
  for (std::size_t axis = 0; axis < transform.modes.size(); ++axis) {
    const auto own = roots(static_cast<long double>(transform.sign) * turns[axis][j],
                           transform.modes[axis], transform.centred);
    std::vector<Long> longer;
    for (const Long& a : all) {
      for (const Long& b : own) longer.push_back(a * b);
    }
    all = std::move(longer);
  }
  return all;
}

template <class Real>
std::vector<std::complex<Real>> numbers(std::size_t count, std::uint64_t seed) {
  catalogue::Random random(seed);
  std::vector<std::complex<Real>> values(std::max<std::size_t>(1, count));
  for (auto& value : values)
    value = {static_cast<Real>(random.uniform()), static_cast<Real>(random.uniform())};
  return values;
}

/// A difference from the exact result, relative to the scale of NufftTransform::tolerance.
template <class Real>
double error_of(const std::complex<Real>* computed, const std::vector<Long>& exact,
                long double scale) {
  if (exact.empty()) return 0;
  long double squares = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    squares += std::norm(Long(computed[i].real(), computed[i].imag()) - exact[i]);
  return static_cast<double>(std::sqrt(squares) / scale);
}

/// Reads numbers; OpenCL cannot read none.
template <class Real>
std::vector<std::complex<Real>> downloaded(const cl::Buffer& buffer, std::size_t count) {
  if (count == 0) return {};
  return default_device().download<std::complex<Real>>(buffer, count);
}

template <class Real>
long double norm_of(const std::complex<Real>* numbers, std::size_t count) {
  long double squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += std::norm(Long(numbers[i]));
  return std::sqrt(squares);
}

struct Errors {
  double type1 = 0, type2 = 0;
};

template <class Real>
Errors errors_of(const NufftTransform& transform, std::size_t count, Places places,
                 const Options& options = {}) {
  const Device& device = default_device();
  NufftPlan plan(device.context, device.device, transform, options);
  const Points points(transform, transform.modes.size(), count, places, count + 1);
  plan.set_points(device.queue, points.on_device);
  const std::size_t modes = product(transform.modes), batch = transform.batch;
  const auto strengths = numbers<Real>(batch * count, 2), given = numbers<Real>(batch * modes, 3);
  const auto strength_buffer = device.upload(strengths), given_buffer = device.upload(given),
             to_modes = device.allocate(plan.modes_bytes()),
             to_points = device.allocate(std::max<std::size_t>(16, plan.points_bytes()));
  plan.type1(device.queue, strength_buffer, to_modes);
  plan.type2(device.queue, given_buffer, to_points);
  const auto computed1 = device.download<std::complex<Real>>(to_modes, batch * modes),
             computed2 = downloaded<Real>(to_points, batch * count);
  Errors worst;
  for (std::size_t member = 0; member < batch; ++member) {
    std::vector<Long> exact1(modes), exact2(count);
    for (std::size_t j = 0; j < count; ++j) {
      const auto own = factors(transform, points.turns, j);
      for (std::size_t m = 0; m < modes; ++m) {
        exact1[m] += Long(strengths[member * count + j]) * own[m];
        exact2[j] += Long(given[member * modes + m]) * std::conj(own[m]);
      }
    }
    const auto scale = [](std::size_t other, long double norm) {
      return norm == 0 ? 1 : std::sqrt(static_cast<long double>(other)) * norm;
    };
    worst.type1 = test::larger(worst.type1,
                               error_of(&computed1[member * modes], exact1,
                                        scale(modes, norm_of(&strengths[member * count], count))));
    worst.type2 =
        test::larger(worst.type2, error_of(computed2.data() + member * count, exact2,
                                           scale(count, norm_of(&given[member * modes], modes))));
  }
  return worst;
}

Errors errors_of(const NufftTransform& transform, std::size_t count, Places places,
                 const Options& options = {}) {
  return transform.precision == Precision::f64
             ? errors_of<double>(transform, count, places, options)
             : errors_of<float>(transform, count, places, options);
}

/// Case i of a series that combines all choices.
void check_case(std::uint64_t i) {
  catalogue::Random random(i + 1);
  static const std::vector<std::vector<std::size_t>> kModes = {{24}, {1}, {10, 13}, {4, 7, 6}};
  const std::size_t which = i % kModes.size();
  NufftTransform transform;
  transform.modes = kModes[which];
  transform.precision = random.uniform() < 0 ? Precision::f32 : Precision::f64;
  const bool f64 = transform.precision == Precision::f64;
  static constexpr double kTolerances[] = {1e-2, 1e-4, 1e-6, 1e-9, 1e-13};
  transform.tolerance = kTolerances[random.below(f64 ? 5 : 3)];
  transform.coordinates = static_cast<Coordinates>(random.below(4));
  transform.batch = 1 + random.below(3);
  transform.sign = random.uniform() < 0 ? -1 : 1;
  transform.centred = random.uniform() < 0.5;
  static constexpr std::size_t kCounts[] = {0, 1, 2, 17, 300};
  const std::size_t count = kCounts[random.below(5)];
  const Places places = kPlaces[random.below(5)];
  Options options;
  options.parameters.mapping = random.uniform() < 0 ? Mapping::vector : Mapping::work_group;
  const Errors errors = errors_of(transform, count, places, options);
  INFO("case " << i << ": " << transform.modes.size() << " axes, f" << (f64 ? 64 : 32)
               << ", tolerance " << transform.tolerance << ", " << count << " points of kind "
               << static_cast<int>(places));
  CHECK(errors.type1 <= transform.tolerance);
  CHECK(errors.type2 <= transform.tolerance);
}

/// Returns any bits, often those of a special number: an end of the period and its neighbours,
/// zeros, denormals, the largest numbers, infinity, NaN.
template <class Number>
Number any_bits(catalogue::Random& random) {
  using Bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
  if constexpr (std::is_floating_point_v<Number>) {
    using Limits = std::numeric_limits<Number>;
    constexpr auto kPi = std::numbers::pi_v<Number>;
    const Number special[] = {kPi,
                              std::nextafter(kPi, Number{0}),
                              std::nextafter(kPi, Number{9}),
                              2 * kPi,
                              0,
                              Limits::denorm_min(),
                              Limits::min(),
                              Limits::epsilon(),
                              Limits::max(),
                              1e30F,
                              Number(0x1p24),
                              random.below(9) == 0 ? Limits::infinity() : Number{1},
                              random.below(9) == 0 ? Limits::quiet_NaN() : Number{1}};
    const Number sign = random.below(2) == 0 ? Number{1} : Number{-1};
    if (random.below(3) > 0) return sign * special[random.below(std::size(special))];
    if (random.below(2) > 0) return sign * static_cast<Number>(random.uniform() * 8);
  } else if (random.below(2) == 0) {
    const Bits near =
        static_cast<Bits>(random.below(4)) * (~Bits{0} / 4 + 1);  // a quarter of the period
    return near + static_cast<Bits>(random.below(3)) - 1;
  }
  return std::bit_cast<Number>(static_cast<Bits>(random.bits()));
}

/// Returns a coordinate in turns.
template <class Number>
long double turns_of_bits(Number x) {
  if constexpr (std::is_floating_point_v<Number>)
    return std::atan2(std::sin(static_cast<long double>(x)),
                      std::cos(static_cast<long double>(x))) /
           kTurn;
  else
    return std::ldexp(static_cast<long double>(x), -static_cast<int>(8 * sizeof(Number)));
}

/// Sets points of any bits, and computes both types if all are finite.
template <class Number>
void check_any_bits(NufftPlan& plan, std::uint64_t seed) {
  const Device& device = default_device();
  const NufftTransform& transform = plan.transform();
  const std::size_t axes = transform.modes.size(), modes = product(transform.modes);
  catalogue::Random random(seed);
  const std::size_t count = 1 + random.below(40);
  std::size_t first_bad = count;
  NufftPoints points{{}, count};
  std::vector<cl::Buffer> buffers;
  std::vector<std::vector<long double>> turns(axes);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::vector<Number> own(count);
    for (std::size_t j = 0; j < count; ++j) {
      own[j] = j > 0 && random.below(4) == 0 ? own[j - 1] : any_bits<Number>(random);
      if constexpr (std::is_floating_point_v<Number>)
        if (!std::isfinite(own[j])) first_bad = std::min(first_bad, j);
      turns[axis].push_back(turns_of_bits(own[j]));
    }
    buffers.push_back(device.upload(own));
  }
  for (const cl::Buffer& buffer : buffers) points.coordinates.emplace_back(buffer);
  const auto c = numbers<double>(count, 2), f = numbers<double>(modes, 3);
  const auto to_modes = device.allocate(plan.modes_bytes()),
             to_points = device.allocate(16 * count), from_points = device.upload(c),
             from_modes = device.upload(f);
  if (first_bad < count) {
    CHECK(message_of([&] { plan.set_points(device.queue, points); }) ==
          "the coordinates of point " + std::to_string(first_bad) +
              " is not finite; give finite numbers");
    CHECK_THROWS_AS(plan.type1(device.queue, from_points, to_modes), InvalidArgument);
    return;
  }
  plan.set_points(device.queue, points);
  plan.type1(device.queue, from_points, to_modes);
  plan.type2(device.queue, from_modes, to_points);
  std::vector<Long> sums(modes), values(count);
  for (std::size_t j = 0; j < count; ++j) {
    const auto own = factors(transform, turns, j);
    for (std::size_t m = 0; m < modes; ++m) {
      sums[m] += Long(c[j]) * own[m];
      values[j] += Long(f[m]) * std::conj(own[m]);
    }
  }
  // Errors of points in one place add up, so the norms are sums.
  const auto scale = [](std::size_t n, const std::vector<std::complex<double>>& numbers) {
    long double sum = 0;
    for (const auto& number : numbers) sum += std::abs(Long(number));
    return std::sqrt(static_cast<long double>(n)) * sum;
  };
  CHECK(error_of(device.download<std::complex<double>>(to_modes, modes).data(), sums,
                 scale(modes, c)) <= transform.tolerance);
  CHECK(error_of(device.download<std::complex<double>>(to_points, count).data(), values,
                 scale(count, f)) <= transform.tolerance);
}

}  // namespace

TEST_CASE("points of any bits are folded into the period, or refused", "[nufft][long]") {
  const Device& device = default_device();
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const auto coordinates : {Coordinates::radians_f32, Coordinates::radians_f64,
                                   Coordinates::fractions_i32, Coordinates::fractions_i64}) {
      for (const std::vector<std::size_t>& modes :
           {std::vector<std::size_t>{40}, {5, 6}, {3, 2, 4}}) {
        Options options;
        options.parameters.mapping = mapping;
        NufftTransform transform{.modes = modes, .tolerance = 1e-9, .precision = Precision::f64};
        transform.coordinates = coordinates;
        NufftPlan plan(device.context, device.device, transform, options);
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
          INFO("coordinates " << static_cast<int>(coordinates) << ", axes " << modes.size()
                              << ", vectors " << (mapping == Mapping::vector) << ", seed " << seed);
          switch (coordinates) {
            case Coordinates::radians_f32:
              check_any_bits<float>(plan, seed);
              break;
            case Coordinates::radians_f64:
              check_any_bits<double>(plan, seed);
              break;
            case Coordinates::fractions_i32:
              check_any_bits<std::uint32_t>(plan, seed);
              break;
            case Coordinates::fractions_i64:
              check_any_bits<std::uint64_t>(plan, seed);
              break;
          }
        }
      }
    }
  }
}

TEST_CASE("nonuniform transforms keep their tolerance", "[nufft]") {
  for (std::uint64_t i = 0; i < 4; ++i) check_case(i);
}
TEST_CASE("nonuniform transforms keep their tolerance in many cases", "[nufft][long]") {
  for (std::uint64_t i = 4; i < 40; ++i) check_case(i);
}

TEST_CASE("nonuniform transforms keep their tolerance in a thousand cases", "[.][nufft_full]") {
  for (std::uint64_t i = 40; i < 1040; ++i) check_case(i);
}

TEST_CASE("equal strengths in one place keep the tolerance relative to their sum", "[nufft]") {
  const Device& device = default_device();
  const std::size_t count = 1000;
  NufftTransform transform{.modes = {40}, .tolerance = 1e-9, .precision = Precision::f64};
  transform.coordinates = Coordinates::radians_f64;
  NufftPlan plan(device.context, device.device, transform);
  const auto ones = device.upload(std::vector<std::complex<double>>(count, 1.0)),
             modes = device.allocate(plan.modes_bytes());
  catalogue::Random random(2);
  for (int i = 0; i < 10; ++i) {
    const double x = 3 * random.uniform();
    plan.set_points(device.queue, {{device.upload(std::vector<double>(count, x))}, count});
    plan.type1(device.queue, ones, modes);
    std::vector<Long> sums;
    for (int k = -20; k < 20; ++k)
      sums.push_back(static_cast<long double>(count) *
                     std::polar(1.0L, static_cast<long double>(k) * x));
    CHECK(error_of(device.download<std::complex<double>>(modes, 40).data(), sums,
                   count * std::sqrt(40.0L)) <= transform.tolerance);
  }
}

TEST_CASE("bins of many points are divided into parts", "[nufft][long]") {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    for (const Places places : {Places::one_place, Places::cluster, Places::crowd}) {
      const std::size_t n = places == Places::crowd ? 64 : 10;  // for bins that are neighbours
      NufftTransform transform{.modes = {n, n + 3}, .tolerance = 1e-5};
      transform.coordinates = Coordinates::fractions_i64;
      const Errors errors = errors_of(transform, 40000, places, options);
      CHECK(errors.type1 <= transform.tolerance);
      CHECK(errors.type2 <= transform.tolerance);
    }
  }
}

TEST_CASE("tiles of parts take little memory, whatever the batch", "[nufft][long]") {
  const Device& device = default_device();
  Options options;
  options.parameters.mapping = Mapping::work_group;
  NufftTransform transform{.modes = {12, 12, 12}, .tolerance = 1e-5, .batch = 60};
  transform.types = NufftTypes::type1;
  NufftPlan plan(device.context, device.device, transform, options);
  const std::size_t count = 200000, modes = product(transform.modes);
  const auto x = device.upload(std::vector<float>(count));
  plan.set_points(device.queue, {{x, x, x}, count});
  CHECK(plan.workspace_bytes() < std::size_t{320} << 20);
  // All points are at 0: each mode is the sum of the strengths.
  std::vector<std::complex<float>> strengths(transform.batch * count);
  for (std::size_t member = 0; member < transform.batch; ++member)
    strengths[member * count] = static_cast<float>(member);
  const auto to_modes = device.allocate(plan.modes_bytes());
  plan.type1(device.queue, device.upload(strengths), to_modes);
  const auto sums = device.download<std::complex<float>>(to_modes, transform.batch * modes);
  for (std::size_t member = 0; member < transform.batch; ++member)
    CHECK(std::abs(sums[member * modes + 5] - static_cast<float>(member)) <= 0.01 * member);
}

TEMPLATE_TEST_CASE("real strengths and values are the real parts of complex ones", "[nufft][long]",
                   float, double) {
  using Complex = std::complex<TestType>;
  const Device& device = default_device();
  const std::size_t count = 3000, batch = 2, offset = 3;
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const std::vector<std::size_t>& modes :
         {std::vector<std::size_t>{70}, {10, 13}, {4, 7, 6}}) {
      if (sizeof(TestType) == 8 && modes.size() != 2) continue;  // compiling takes the time
      Options options;
      options.parameters.mapping = mapping;
      NufftTransform transform{.modes = modes, .tolerance = 1e-4, .batch = batch};
      transform.precision = sizeof(TestType) == 8 ? Precision::f64 : Precision::f32;
      const Points points(transform, modes.size(), count, Places::cluster, 5);
      NufftPlan complex_plan(device.context, device.device, transform, options);
      transform.real = true;
      NufftPlan plan(device.context, device.device, transform, options);
      complex_plan.set_points(device.queue, points.on_device);
      plan.set_points(device.queue, points.on_device);
      CHECK(plan.points_bytes() == batch * count * sizeof(TestType));
      CHECK(2 * plan.points_bytes() == complex_plan.points_bytes());
      std::vector<TestType> reals(offset);
      std::vector<Complex> complexes;
      for (const Complex& number : numbers<TestType>(batch * count, 6)) {
        reals.push_back(number.real());
        complexes.emplace_back(number.real());
      }
      const auto f = device.upload(numbers<TestType>(batch * product(modes), 7));
      const auto to_modes = device.allocate(plan.modes_bytes()),
                 all_modes = device.allocate(plan.modes_bytes()),
                 to_points = device.allocate(plan.points_bytes()),
                 all_points = device.allocate(complex_plan.points_bytes());
      const auto from_reals = device.upload(reals), from_complexes = device.upload(complexes);
      plan.type1(device.queue, {from_reals, offset}, to_modes);
      complex_plan.type1(device.queue, from_complexes, all_modes);
      CHECK(downloaded<TestType>(to_modes, batch * product(modes)) ==
            downloaded<TestType>(all_modes, batch * product(modes)));
      plan.type2(device.queue, f, to_points);
      complex_plan.type2(device.queue, f, all_points);
      const auto values = device.download<TestType>(to_points, batch * count);
      const auto all = downloaded<TestType>(all_points, batch * count);
      bool equal = true;
      for (std::size_t j = 0; j < batch * count; ++j) equal = equal && values[j] == all[j].real();
      CHECK(equal);
      const auto small = device.allocate(plan.points_bytes() - 1);
      CHECK_THROWS_AS(plan.type2(device.queue, f, small), InvalidArgument);
    }
  }
}

TEST_CASE("points in parts give the transforms of all points", "[nufft]") {
  const Device& device = default_device();
  const std::vector<std::size_t> counts = {300, 0, 1, 2100};
  const std::size_t all = 2401, batch = 2;
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    NufftTransform transform{.modes = {10, 13}, .tolerance = 1e-9, .precision = Precision::f64};
    transform.batch = batch;
    transform.coordinates = Coordinates::radians_f64;
    const Points points(transform, 2, all, Places::cluster, 5);
    NufftPlan plan(device.context, device.device, transform, options);
    const std::size_t modes = product(transform.modes);
    const auto c = numbers<double>(batch * all, 6), f = numbers<double>(batch * modes, 7);
    const auto from = device.upload(c), given = device.upload(f);
    const auto one = device.allocate(plan.modes_bytes()), values = device.allocate(16 * c.size());
    plan.set_points(device.queue, points.on_device);
    plan.type1(device.queue, from, one);
    plan.type2(device.queue, given, values);
    const auto modes_of_all = downloaded<double>(one, batch * modes),
               values_of_all = downloaded<double>(values, batch * all);

    std::vector<NufftPoints> parts;
    std::vector<cl::Buffer> buffers;
    std::vector<Array> strengths, results;
    for (std::size_t first = 0, i = 0; i < counts.size(); first += counts[i++]) {
      NufftPoints part{{}, counts[i]};
      for (const cl::Buffer& axis : points.buffers) part.coordinates.emplace_back(axis, first);
      parts.push_back(part);
      std::vector<std::complex<double>> own(1);  // an offset
      for (std::size_t member = 0; member < batch; ++member)
        own.insert(own.end(), &c[member * all + first], &c[member * all + first] + counts[i]);
      buffers.push_back(device.upload(own));
      strengths.emplace_back(buffers.back(), 1);
      buffers.push_back(device.allocate(std::max<std::size_t>(16, 16 * batch * counts[i])));
      results.emplace_back(buffers.back());
    }
    const auto sums = device.allocate(plan.modes_bytes());
    plan.set_points(device.queue, parts);
    CHECK(plan.points() == all);
    CHECK(plan.points_bytes() == batch * all * 16);
    plan.type1(device.queue, strengths, sums);
    plan.type2(device.queue, given, results);
    std::vector<Long> exact;
    for (const auto& mode : modes_of_all) exact.emplace_back(mode);
    CHECK(error_of(downloaded<double>(sums, batch * modes).data(), exact,
                   norm_of(modes_of_all.data(), batch * modes)) < 1e-13);
    for (std::size_t first = 0, i = 0; i < counts.size(); first += counts[i++]) {
      const auto own = downloaded<double>(buffers[2 * i + 1], batch * counts[i]);
      bool equal = true;
      for (std::size_t j = 0; j < own.size(); ++j) {
        const std::size_t member = j / counts[i], of_all = member * all + first + j % counts[i];
        equal = equal && std::abs(own[j] - values_of_all[of_all]) < 1e-12;
      }
      CHECK(equal);
    }
    const std::string before = plan.describe();
    CHECK(before.find("2401 points in") != std::string::npos);
    // The messages of wrong arrays.
    CHECK(message_of([&] { plan.type1(device.queue, from, sums); }) ==
          "the number of strengths is 1; give an array for each of the 4 parts of the points");
    results.back() = results.front();
    CHECK_THROWS_AS(plan.type2(device.queue, given, results), InvalidArgument);
    const auto bad = device.upload(std::vector<double>{0, std::nan("")});
    parts.back() = {{bad, bad}, 2};
    CHECK(message_of([&] { plan.set_points(device.queue, parts); }) ==
          "the coordinates of point 302 is not finite; give finite numbers");
    CHECK_THROWS_AS(plan.type1(device.queue, strengths, sums), InvalidArgument);
    parts.back().count = std::size_t{1} << 31;
    CHECK_THROWS_AS(plan.set_points(device.queue, parts), Unsupported);
  }
}

TEST_CASE("type 3 has real strengths", "[nufft]") {
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

TEST_CASE("an estimate is what the plan then needs", "[nufft][long]") {
  const Device& device = default_device();
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const NufftTypes types : {NufftTypes::both, NufftTypes::type1, NufftTypes::type2}) {
      // Compiling takes the time.
      if ((mapping == Mapping::vector) != (types == NufftTypes::both)) continue;
      Options options;
      options.parameters.mapping = mapping;
      NufftTransform transform{.modes = {60, 75}, .tolerance = 1e-5, .batch = 2};
      transform.centred = false;
      transform.types = types;
      transform.points = 20000;
      transform.real = types == NufftTypes::type1;
      const NufftEstimate estimate = NufftPlan::estimate(device.device, transform, options);
      NufftPlan plan(device.context, device.device, transform, options);
      const std::string before = plan.describe();
      const Points points(transform, 2, transform.points, Places::uniform, 5);
      plan.set_points(device.queue, points.on_device);
      CHECK(estimate.width == plan.width());
      CHECK(estimate.grid == plan.grid());
      CHECK(estimate.predicted_error == plan.predicted_error());
      CHECK(estimate.points == plan.points());
      CHECK(estimate.points_bytes == plan.points_bytes());
      CHECK(estimate.modes_bytes == plan.modes_bytes());
      CHECK(estimate.workspace_bytes == plan.workspace_bytes());
      CHECK(estimate.vectors == (mapping == Mapping::vector));
      CHECK(plan.describe() == before);
      for (const auto& [step, is_there] : {std::pair(estimate.set_points, true),
                                           std::pair(estimate.type1, types != NufftTypes::type2),
                                           std::pair(estimate.type2, types != NufftTypes::type1)}) {
        CHECK((step.kernels > 0) == is_there);
        CHECK((step.seconds > 0) == is_there);
        CHECK(step.seconds < 1);
      }
    }
  }
}

TEST_CASE("an estimate grows with the points, the accuracy and the batch", "[nufft]") {
  const Device& device = default_device();
  const auto estimate = [&](std::size_t points, double tolerance, std::size_t batch) {
    NufftTransform transform{.modes = {64, 64}, .tolerance = tolerance, .batch = batch};
    transform.points = points;
    return NufftPlan::estimate(device.device, transform);
  };
  const auto usual = estimate(1000000, 1e-3, 1);
  for (const auto& more :
       {estimate(2000000, 1e-3, 1), estimate(1000000, 1e-6, 1), estimate(1000000, 1e-3, 3)}) {
    CHECK(more.type1.seconds > 1.05 * usual.type1.seconds);
    CHECK(more.type2.seconds > 1.05 * usual.type2.seconds);
  }
  CHECK(estimate(0, 1e-3, 1).points == 64 * 64);
  NufftTransform third;
  third.types = NufftTypes::type3;
  third.axes = 1;
  CHECK(message_of([&] {
          NufftPlan::estimate(device.device, third);
        }).starts_with("types is type3; its grid depends on the points"));
  CHECK_THROWS_AS(NufftPlan::estimate(device.device, {.modes = {8}, .tolerance = 1e-30}),
                  Unsupported);
  CHECK_THROWS_AS(NufftPlan::estimate(cl::Device(), {.modes = {8}}), InvalidArgument);
}

TEST_CASE("a description has the launches and the points that are set", "[nufft]") {
  const Device& device = default_device();
  Options options;
  options.parameters.mapping = Mapping::work_group;
  NufftTransform transform{.modes = {256}, .tolerance = 1e-4};
  transform.points = 1000;
  NufftPlan plan(device.context, device.device, transform, options);
  const Points even(transform, 1, 1000, Places::uniform, 5),
      together(transform, 1, 50000, Places::one_place, 5);
  plan.set_points(device.queue, even.on_device);
  const auto launches = [&] {
    const std::string text = plan.describe(), name = "type 1: ";
    return std::stoul(text.substr(text.find(name) + name.size()));
  };
  const std::size_t before = launches();
  CHECK(before == NufftPlan::estimate(device.device, transform, options).type1.kernels);
  plan.set_points(device.queue, together.on_device);
  CHECK(launches() == before + 2);  // the parts of the bin, and their sum
  CHECK(plan.describe().find("50000 points in") != std::string::npos);
}

TEMPLATE_TEST_CASE("types 1 and 2 are adjoint, and calls give the same bits", "[nufft]", float,
                   double) {
  using Complex = std::complex<TestType>;
  constexpr bool kF64 = std::is_same_v<TestType, double>;
  const Device& device = default_device();
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    NufftTransform transform{.modes = {10, 13}, .tolerance = 1e-4};
    transform.precision = kF64 ? Precision::f64 : Precision::f32;
    transform.coordinates = Coordinates::radians_f64;
    const std::size_t count = 20000, modes = product(transform.modes);
    const Points points(transform, 2, count, Places::uniform, 5);
    const auto c = numbers<TestType>(count, 6), f = numbers<TestType>(modes, 7);
    std::vector<Complex> first1, first2;
    for (int run = 0; run < 5; ++run) {
      NufftPlan plan(device.context, device.device, transform, options);
      plan.set_points(device.queue, points.on_device);
      const auto to_modes = device.allocate(plan.modes_bytes()),
                 to_points = device.allocate(plan.points_bytes());
      plan.type1(device.queue, device.upload(c), to_modes);
      plan.type2(device.queue, device.upload(f), to_points);
      const auto own1 = device.download<Complex>(to_modes, modes),
                 own2 = device.download<Complex>(to_points, count);
      if (run == 0) {
        first1 = own1, first2 = own2;
        Long left = 0, right = 0;
        for (std::size_t i = 0; i < modes; ++i) left += std::conj(Long(f[i])) * Long(own1[i]);
        for (std::size_t j = 0; j < count; ++j) right += std::conj(Long(own2[j])) * Long(c[j]);
        CHECK(std::abs(left - right) <= (kF64 ? 1e-13L : 1e-6L) * norm_of(f.data(), modes) *
                                            norm_of(c.data(), count) *
                                            std::sqrt(static_cast<long double>(modes)));
      }
      CHECK(own1 == first1);
      CHECK(own2 == first2);
    }
  }
}

TEST_CASE("integer coordinates keep the accuracy of long grids in f32", "[nufft][long]") {
  const Device& device = default_device();
  const std::size_t n = std::size_t{1} << 20, count = 12;
  for (const auto& [coordinates, bound] :
       {std::pair(Coordinates::fractions_i32, 3e-4), std::pair(Coordinates::fractions_i64, 1e-5)}) {
    NufftTransform transform{.modes = {n}, .tolerance = 1e-5};
    transform.coordinates = coordinates;
    transform.types = NufftTypes::type2;
    NufftPlan plan(device.context, device.device, transform);
    catalogue::Random random(3);
    std::vector<std::uint64_t> exact(count);
    for (auto& x : exact) x = random.bits();
    std::vector<std::uint32_t> rounded;
    for (const std::uint64_t x : exact)
      rounded.push_back(static_cast<std::uint32_t>((x + (std::uint64_t{1} << 31)) >> 32));
    const auto points =
        coordinates == Coordinates::fractions_i32 ? device.upload(rounded) : device.upload(exact);
    plan.set_points(device.queue, {{points}, count});
    const auto modes = numbers<float>(n, 4);
    const auto values = device.allocate(plan.points_bytes());
    plan.type2(device.queue, device.upload(modes), values);
    const auto computed = device.download<std::complex<float>>(values, count);
    std::vector<Long> sums;
    for (const std::uint64_t x : exact) {
      Long sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t phase = (i - n / 2) * x;  // modulo the period
        sum += Long(modes[i]) *
               std::conj(std::complex<long double>(std::polar(
                   1.0,
                   static_cast<double>(kTurn * std::ldexp(static_cast<long double>(phase), -64)))));
      }
      sums.push_back(sum);
    }
    CHECK(error_of(computed.data(), sums,
                   norm_of(modes.data(), n) * std::sqrt(static_cast<long double>(count))) <= bound);
  }
}

TEST_CASE("type 3 keeps its tolerance", "[nufft][long]") {
  const Device& device = default_device();
  struct Case {
    std::size_t axes, points, frequencies;
    double reach, middle, band, centre;
    double tolerance;
    Precision precision;
  };
  for (const Case& c : {Case{1, 200, 100, 3, 0, 40, 0, 1e-5, Precision::f32},
                        Case{1, 200, 100, 1e-3, 5, 2e4, -300, 1e-9, Precision::f64},
                        Case{2, 200, 150, 2, -1, 8, 100, 1e-6, Precision::f64},
                        Case{3, 100, 50, 1, 7, 5, 3, 1e-4, Precision::f32},
                        Case{1, 1, 20, 0, 2, 7, 1, 1e-6, Precision::f64},
                        Case{1, 50, 40, 3, 1e6, 5, 100, 1e-9, Precision::f64},
                        Case{1, 50, 40, 1e-300, 0, 1e301, 0, 1e-6, Precision::f64},
                        Case{1, 50, 40, 1e305, 0, 0, 0, 1e-6, Precision::f64},
                        Case{1, 50, 40, 1e-310, 0, 2, 0, 1e-6, Precision::f64},
                        Case{2, 50, 1, 4, 2, 0, 3, 1e-6, Precision::f64},
                        Case{1, 0, 5, 1, 0, 1, 0, 1e-6, Precision::f64},
                        Case{1, 5, 0, 1, 0, 1, 0, 1e-6, Precision::f64}}) {
    NufftTransform transform{.tolerance = c.tolerance, .precision = c.precision, .batch = 2};
    transform.axes = c.axes;
    transform.types = NufftTypes::type3;
    transform.coordinates = Coordinates::radians_f64;
    transform.sign = -1;
    NufftPlan plan(device.context, device.device, transform);
    catalogue::Random random(9);
    std::vector<cl::Buffer> buffers;
    std::vector<std::vector<double>> x(c.axes), s(c.axes);
    NufftPoints points{{}, c.points}, frequencies{{}, c.frequencies};
    for (std::size_t axis = 0; axis < c.axes; ++axis) {
      for (std::size_t j = 0; j < std::max<std::size_t>(1, c.points); ++j)
        x[axis].push_back(c.middle + c.reach * random.uniform());
      for (std::size_t k = 0; k < std::max<std::size_t>(1, c.frequencies); ++k)
        s[axis].push_back(c.centre + c.band * random.uniform());
      buffers.push_back(device.upload(x[axis]));
      points.coordinates.emplace_back(buffers.back());
      buffers.push_back(device.upload(s[axis]));
      frequencies.coordinates.emplace_back(buffers.back());
    }
    plan.set_points(device.queue, points, frequencies);
    const auto check = [&]<class Real>(Real) {
      const auto strengths = numbers<Real>(2 * c.points, 8);
      const auto values = device.allocate(std::max<std::size_t>(16, plan.modes_bytes()));
      plan.type3(device.queue, device.upload(strengths), values);
      const auto computed = downloaded<Real>(values, 2 * c.frequencies);
      for (std::size_t member = 0; member < 2 && c.frequencies > 0; ++member) {
        std::vector<Long> sums(c.frequencies);
        for (std::size_t k = 0; k < c.frequencies; ++k) {
          for (std::size_t j = 0; j < c.points; ++j) {
            long double angle = 0;
            for (std::size_t axis = 0; axis < c.axes; ++axis)
              angle += static_cast<long double>(s[axis][k]) * x[axis][j];
            sums[k] += Long(strengths[member * c.points + j]) * std::polar(1.0L, -angle);
          }
        }
        const long double norm = norm_of(strengths.data() + member * c.points, c.points);
        INFO(c.axes << " axes, " << c.points << " points, tolerance " << c.tolerance);
        CHECK(error_of(computed.data() + member * c.frequencies, sums,
                       norm == 0 ? 1 : norm * std::sqrt(static_cast<long double>(c.frequencies))) <=
              c.tolerance);
      }
    };
    c.precision == Precision::f64 ? check(double{}) : check(float{});
  }
}

TEST_CASE("nonuniform transforms refuse what they cannot do", "[nufft]") {
  const Device& device = default_device();
  const auto made = [&](const NufftTransform& transform) {
    return NufftPlan(device.context, device.device, transform);
  };
  const auto message = [&](const NufftTransform& transform) {
    return message_of([&] { made(transform); });
  };
  CHECK(message({}) == "the size of modes is 0; give 1 to 3 numbers of modes");
  CHECK(message({.modes = {4, 4, 4, 4}}) == "the size of modes is 4; give 1 to 3 numbers of modes");
  CHECK(message({.modes = {4, 0}}) == "modes[1] is 0; it must be from 1 to 2^29");
  CHECK(message({.modes = {4}, .tolerance = 0}) ==
        "tolerance is 0; it must be above 0 and below 1");
  CHECK(message({.modes = {4}, .batch = 0}) == "batch is 0; it must be at least 1");
  CHECK(message({.modes = {4}, .batch = std::size_t{1} << 62}) ==
        "batch is 4611686018427387904; it must be at most 2^24");
  NufftTransform cast{.modes = {4}};
  cast.coordinates = static_cast<Coordinates>(9);
  CHECK(message(cast) == "coordinates is 9; it must be a value of its enumeration");
  cast = {.modes = {4}};
  cast.types = static_cast<NufftTypes>(9);
  CHECK(message(cast) == "types is 9; it must be a value of its enumeration");
  CHECK(message({.modes = {4}, .sign = 2}) == "sign is 2; it must be 1 or -1");

  // The smallest tolerance is named, and is allowed.
  NufftTransform exact{.modes = {24}, .tolerance = 1e-9};
  CHECK_THROWS_AS(made(exact), Unsupported);
  exact.tolerance = least_tolerance(exact);
  CHECK(exact.tolerance < 1e-6);
  CHECK_NOTHROW(made(exact));
  NufftTransform better = exact;
  better.tolerance = 0.9 * exact.tolerance;
  CHECK_THROWS_AS(made(better), Unsupported);

  NufftTransform frequencies{.tolerance = 1e-9};
  frequencies.types = NufftTypes::type3;
  frequencies.axes = 2;
  CHECK(message(frequencies).starts_with("a tolerance of 1e-09 is beyond f32"));
  frequencies.tolerance = least_tolerance(frequencies);
  CHECK_NOTHROW(made(frequencies));

  NufftPlan plan = made({.modes = {24}, .tolerance = 1e-4});
  const auto buffer = device.upload(std::vector<float>(256));
  CHECK(message_of([&] { plan.type1(device.queue, buffer, buffer); }) ==
        "the points is not set; call set_points() first");
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const auto x = device.upload(std::vector<float>{0, 1, bad, bad});
    CHECK(message_of([&] {
            plan.set_points(device.queue, {{x}, 4});
          }) == "the coordinates of point 2 is not finite; give finite numbers");
    CHECK_THROWS_AS(plan.type1(device.queue, buffer, buffer), InvalidArgument);
  }
  CHECK_THROWS_AS(plan.set_points(device.queue, {{}, 4}), InvalidArgument);
  CHECK_THROWS_AS(plan.set_points(device.queue, {{buffer}, 257}), InvalidArgument);
  CHECK_THROWS_AS(plan.set_points(device.queue, {{buffer}, 4}, {{buffer}, 4}), InvalidArgument);
  plan.set_points(device.queue, {{device.upload(std::vector<float>(100))}, 100});
  CHECK_THROWS_AS(plan.type1(device.queue, buffer, buffer), InvalidArgument);  // too small
  CHECK_THROWS_AS(plan.type3(device.queue, buffer, buffer), InvalidArgument);

  NufftTransform far{.tolerance = 1e-4};
  far.axes = 1;
  far.types = NufftTypes::type3;
  far.coordinates = Coordinates::radians_f64;
  NufftPlan third = made(far);
  const auto huge = device.upload(std::vector<double>{0, 1e300});
  CHECK(message_of([&] {
          third.set_points(device.queue, {{huge}, 2}, {{Array(huge, 1)}, 1});
        }) ==
        "the largest coordinate times the largest frequency is not finite; give smaller ones: the "
        "product is an angle");

  NufftTransform only = {.modes = {24}, .tolerance = 1e-4};
  only.types = NufftTypes::type1;
  NufftPlan one = made(only);
  one.set_points(device.queue, {{buffer}, 4});
  CHECK_THROWS_AS(one.type2(device.queue, buffer, device.allocate(1024)), InvalidArgument);
}
