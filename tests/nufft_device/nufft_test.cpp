// This file compares nonuniform transforms with direct sums in long double.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <limits>
#include <numbers>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <imago/imago.hpp>

#include "base/hash.hpp"
#include "catalogue/random.hpp"
#include "nufft_device/sums.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

/// Case i of a series that combines all choices.
void check_case(std::uint64_t i, FirstCall first_call = FirstCall::compile) {
  catalogue::Random random(i + 1);
  static const std::vector<std::vector<std::size_t>> kModes = {{24}, {1}, {10, 13}, {4, 7, 6}};
  const std::size_t which = i % kModes.size();
  NufftTransform transform;
  transform.modes = kModes[which];
  transform.precision =
      random.uniform() < 0 || !default_device().f64() ? Precision::f32 : Precision::f64;
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
  options.first_call = first_call;
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
          "a coordinate of point " + std::to_string(first_bad) +
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

namespace {

void check_all_bits(FirstCall first_call, std::uint64_t seeds) {
  const Device& device = default_device();
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const auto coordinates : {Coordinates::radians_f32, Coordinates::radians_f64,
                                   Coordinates::fractions_i32, Coordinates::fractions_i64}) {
      for (const std::vector<std::size_t>& modes :
           {std::vector<std::size_t>{40}, {5, 6}, {3, 2, 4}}) {
        Options options;
        options.parameters.mapping = mapping;
        options.first_call = first_call;
        NufftTransform transform{.modes = modes, .tolerance = 1e-9, .precision = Precision::f64};
        transform.coordinates = coordinates;
        NufftPlan plan(device.context, device.device, transform, options);
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
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

}  // namespace

TEST_CASE("points of any bits are folded into the period, or refused", "[nufft][long]") {
  check_all_bits(FirstCall::compile, 20);
}
TEST_CASE("points of any bits on generic kernels are folded into the period, or refused",
          "[nufft][nufft_generic][long]") {
  check_all_bits(FirstCall::generic, 10);
}

TEST_CASE("nonuniform transforms keep their tolerance", "[nufft][without_doubles]") {
  for (std::uint64_t i = 0; i < 4; ++i) check_case(i);
}
TEST_CASE("nonuniform transforms keep their tolerance in many cases", "[nufft][long]") {
  for (std::uint64_t i = 4; i < 40; ++i) check_case(i);
}
TEST_CASE("nonuniform transforms on generic kernels keep their tolerance",
          "[nufft][nufft_generic][without_doubles]") {
  for (std::uint64_t i = 0; i < 60; ++i) check_case(i, FirstCall::generic);
}
TEST_CASE("nonuniform transforms on generic kernels keep their tolerance in a thousand cases",
          "[.][nufft_full]") {
  for (std::uint64_t i = 60; i < 1060; ++i) check_case(i, FirstCall::generic);
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

namespace {

void check_parts(FirstCall first_call) {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    options.first_call = first_call;
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

}  // namespace

TEST_CASE("bins of many points are divided into parts", "[nufft][nufft_small_groups][long]") {
  check_parts(FirstCall::compile);
}
TEST_CASE("bins of many points are divided into parts on generic kernels",
          "[nufft][nufft_generic][nufft_small_groups][long]") {
  check_parts(FirstCall::generic);
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

namespace {

template <class Real>
void check_bits_and_adjoints(FirstCall first_call) {
  using Complex = std::complex<Real>;
  constexpr bool kF64 = std::is_same_v<Real, double>;
  const Device& device = default_device();
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    options.first_call = first_call;
    NufftTransform transform{.modes = {10, 13}, .tolerance = 1e-4};
    transform.precision = kF64 ? Precision::f64 : Precision::f32;
    transform.coordinates = Coordinates::radians_f64;
    const std::size_t count = 20000, modes = product(transform.modes);
    const Points points(transform, 2, count, Places::uniform, 5);
    const auto c = numbers<Real>(count, 6), f = numbers<Real>(modes, 7);
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

}  // namespace

TEMPLATE_TEST_CASE("types 1 and 2 are adjoint, and calls give the same bits", "[nufft]", float,
                   double) {
  check_bits_and_adjoints<TestType>(FirstCall::compile);
}
TEMPLATE_TEST_CASE("types on generic kernels are adjoint, and calls give the same bits",
                   "[nufft][nufft_generic]", float, double) {
  check_bits_and_adjoints<TestType>(FirstCall::generic);
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

// tests/nufft_device/work_groups.sh compares what this prints on devices whose work-groups have
// other sizes.
TEST_CASE("bits of nonuniform transforms", "[.][nufft_bits]") {
  const Device& device = default_device();
  std::cout << "bits";
  for (const std::vector<std::size_t>& modes :
       {std::vector<std::size_t>{70}, {40, 43}, {8, 10, 12}}) {
    Options options;
    options.parameters.mapping = Mapping::work_group;
    NufftTransform transform{.modes = modes, .tolerance = 1e-4};
    const std::size_t count = 20000;
    const Points points(transform, modes.size(), count, Places::crowd, 5);
    NufftPlan plan(device.context, device.device, transform, options);
    plan.set_points(device.queue, points.on_device);
    const auto to_modes = device.allocate(plan.modes_bytes()),
               to_points = device.allocate(plan.points_bytes());
    plan.type1(device.queue, device.upload(numbers<float>(count, 6)), to_modes);
    plan.type2(device.queue, device.upload(numbers<float>(product(modes), 7)), to_points);
    for (const auto& [buffer, bytes] :
         {std::pair(to_modes, plan.modes_bytes()), std::pair(to_points, plan.points_bytes())}) {
      const auto text = device.download<char>(buffer, bytes);
      std::cout << ' ' << base::Hasher().field({text.data(), text.size()}).digest().hex();
    }
  }
  std::cout << std::endl;
}
