// This file checks both promises of nonuniform transforms for structured numbers: tones inside and
// outside of the modes, one mode, constants, ramps and chirps, at points that may be crowded.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "catalogue/random.hpp"
#include "nufft_device/sums.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/larger.hpp"

using namespace imago;
using namespace imago::test;

namespace {

/// Kinds of numbers. A tone has the frequency of a mode, or one outside of the modes.
enum class Numbers { random, tone, outside, one, constant, ramp, chirp, ends };
constexpr std::size_t kKindsOfNumbers = 8;

/// A case of types 1 and 2, or of type 3. Type 3 has the points as frequencies, too.
struct Structured {
  NufftTransform transform;
  std::size_t points = 1, frequencies = 0;
  Places places = Places::uniform;
  Numbers numbers = Numbers::random;
  Mapping mapping = Mapping::automatic;
  std::uint64_t seed = 1;
  FirstCall first_call = FirstCall::compile;

  std::size_t axes() const { return std::max(transform.axes, transform.modes.size()); }
};

std::string text_of_structured(const Structured& c) {
  std::string text = "type " + std::string(c.transform.axes > 0 ? "3" : "1 and 2") + ", modes";
  for (const std::size_t n : c.transform.modes) text += ' ' + std::to_string(n);
  return text + ", axes " + std::to_string(c.axes()) +
         (c.transform.precision == Precision::f64 ? ", f64" : ", f32") + ", tolerance " +
         std::to_string(-std::log10(c.transform.tolerance)) + " digits, points " +
         std::to_string(c.points) + ", places " + std::to_string(static_cast<int>(c.places)) +
         ", numbers " + std::to_string(static_cast<int>(c.numbers)) + ", vectors " +
         std::to_string(c.mapping == Mapping::vector) + ", seed " + std::to_string(c.seed);
}

/// Returns the numbers: at points, exp(2 pi i) of `phases` is the tone; modes have numbers only.
template <class Real>
std::vector<std::complex<Real>> made(Numbers kind, std::size_t count,
                                     const std::vector<long double>& phases, std::uint64_t seed) {
  auto values = numbers<Real>(count, seed);
  const auto n = static_cast<long double>(count);
  for (std::size_t j = 0; j < count; ++j) {
    const auto at = static_cast<long double>(j);
    long double phase = 0, size = 1;
    switch (kind) {
      case Numbers::random:
        continue;
      case Numbers::tone:
      case Numbers::outside:
        phase = phases.empty() ? at * static_cast<long double>(seed % 7) / 7 : phases[j];
        break;
      case Numbers::one:
        size = j == seed % count ? 1 : 0;
        break;
      case Numbers::constant:
        break;
      case Numbers::ramp:
        size = (at + 1) / n;
        break;
      case Numbers::chirp:
        phase = at * at / (2 * n);
        break;
      case Numbers::ends:
        size = j == 0 || j + 1 == count ? 1 : 0;
        break;
    }
    const Long value = std::polar(size, kTurn * (phase - std::floor(phase)));
    values[j] = {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
  }
  return values;
}

/// Errors as both promises measure them.
struct Measured {
  double norm = 0, each = 0;
};

/// The sum over `from` numbers; `root(i, k)` is the factor of number i in result k.
template <class Real, class Root>
Measured measured(const std::vector<std::complex<Real>>& computed,
                  const std::vector<std::complex<Real>>& given, std::size_t from, std::size_t to,
                  Root root) {
  std::vector<Long> exact(to);
  long double sum = 0;
  for (std::size_t i = 0; i < from; ++i) {
    sum += std::abs(Long(given[i]));
    const auto own = root(i);
    for (std::size_t k = 0; k < to; ++k) exact[k] += Long(given[i]) * own[k];
  }
  Measured errors;
  const long double norm = norm_of(given.data(), from);
  if (norm == 0 || to == 0) return errors;
  errors.norm = error_of(computed.data(), exact, norm * std::sqrt(static_cast<long double>(to)));
  for (std::size_t k = 0; k < to; ++k)
    errors.each =
        larger(errors.each, static_cast<double>(std::abs(Long(computed[k]) - exact[k]) / sum));
  return errors;
}

/// Checks the promise of the case's plan.
void check_promise(const Structured& c, const std::string& what, const Measured& errors) {
  INFO(text_of_structured(c) << ", " << what);
  if (c.transform.promise == NufftPromise::each_value)
    CHECK(errors.each / c.transform.tolerance <= 1);
  else if (c.numbers == Numbers::random)
    CHECK(errors.norm / c.transform.tolerance <= 1);
}

/// Returns the phases of a tone at the points, in turns: that of a mode, or of a frequency that is
/// up to five times as far from 0 as the last mode.
std::vector<long double> tone_at(const Structured& c, const Points& points) {
  catalogue::Random random(c.seed + 77);
  std::vector<long double> phases(c.points);
  for (std::size_t axis = 0; axis < c.axes(); ++axis) {
    const auto n = static_cast<double>(c.transform.modes[axis]);
    const double k =
        c.numbers == Numbers::outside
            ? (random.uniform() < 0 ? -1 : 1) * std::ceil(n / 2 + 2 * n * (1 + random.uniform()))
            : std::floor(n * (random.uniform() + 1) / 2) - std::floor(n / 2);
    for (std::size_t j = 0; j < c.points; ++j)
      phases[j] -= static_cast<long double>(c.transform.sign * k) * points.turns[axis][j];
  }
  return phases;
}

template <class Real>
void check_modes(const Structured& c) {
  const Device& device = default_device();
  const NufftTransform& transform = c.transform;
  Options options;
  options.parameters.mapping = c.mapping;
  options.first_call = c.first_call;
  NufftPlan plan(device.context, device.device, transform, options);
  const Points points(transform, c.axes(), c.points, c.places, c.seed);
  plan.set_points(device.queue, points.on_device);
  const std::size_t modes = product(transform.modes);
  const auto strengths = made<Real>(c.numbers, c.points, tone_at(c, points), c.seed),
             given = made<Real>(c.numbers, modes, {}, c.seed);
  const auto to_modes = device.allocate(plan.modes_bytes()),
             to_points = device.allocate(plan.points_bytes());
  plan.type1(device.queue, device.upload(strengths), to_modes);
  plan.type2(device.queue, device.upload(given), to_points);
  std::vector<std::vector<Long>> roots;
  for (std::size_t j = 0; j < c.points; ++j) roots.push_back(factors(transform, points.turns, j));
  check_promise(c, "type 1",
                measured<Real>(device.download<std::complex<Real>>(to_modes, modes), strengths,
                               c.points, modes, [&](std::size_t j) { return roots[j]; }));
  const auto column = [&](std::size_t m) {
    std::vector<Long> own;
    for (const auto& row : roots) own.push_back(std::conj(row[m]));
    return own;
  };
  check_promise(c, "type 2",
                measured<Real>(device.download<std::complex<Real>>(to_points, c.points), given,
                               modes, c.points, column));
}

/// Type 3: the points are up to pi, the frequencies up to a band of a few waves.
template <class Real>
void check_frequencies(const Structured& c) {
  const Device& device = default_device();
  catalogue::Random random(c.seed);
  const double band = random.below(2) == 0 ? 3 : 20;  // few grids, because each needs kernels
  Options options;
  options.parameters.mapping = c.mapping;
  options.first_call = c.first_call;
  NufftPlan plan(device.context, device.device, c.transform, options);
  const Points points(c.transform, c.axes(), c.points, c.places, c.seed);
  NufftPoints frequencies{{}, c.frequencies};
  std::vector<std::vector<double>> s(c.axes());
  std::vector<cl::Buffer> buffers;
  std::vector<long double> phases(c.points);
  for (auto& own : s) {
    for (std::size_t k = 0; k < c.frequencies; ++k) own.push_back(band * random.uniform());
    buffers.push_back(device.upload(own));
    frequencies.coordinates.emplace_back(buffers.back());
    const double tone = (c.numbers == Numbers::outside ? 3 : 0.7) * band;
    const auto& turns = points.turns[static_cast<std::size_t>(&own - s.data())];
    for (std::size_t j = 0; j < c.points; ++j)
      phases[j] -= static_cast<long double>(c.transform.sign * tone) * turns[j];
  }
  plan.set_points(device.queue, points.on_device, frequencies);
  const auto strengths = made<Real>(c.numbers, c.points, phases, c.seed);
  const auto values = device.allocate(plan.modes_bytes());
  plan.type3(device.queue, device.upload(strengths), values);
  const auto root = [&](std::size_t j) {
    std::vector<Long> own(c.frequencies);
    for (std::size_t k = 0; k < c.frequencies; ++k) {
      long double phase = 0;
      for (std::size_t axis = 0; axis < c.axes(); ++axis)
        phase += points.turns[axis][j] * kTurn * s[axis][k];
      own[k] = std::polar(1.0L, c.transform.sign * phase);
    }
    return own;
  };
  check_promise(c, "type 3",
                measured<Real>(device.download<std::complex<Real>>(values, c.frequencies),
                               strengths, c.points, c.frequencies, root));
}

void check_structured(const Structured& c) {
  INFO(text_of_structured(c));
  const bool f64 = c.transform.precision == Precision::f64;
  if (c.transform.axes > 0)
    f64 ? check_frequencies<double>(c) : check_frequencies<float>(c);
  else
    f64 ? check_modes<double>(c) : check_modes<float>(c);
}

/// Structured i of a series that combines all choices. Plans of the first promise check all
/// numbers, and those of the norm's promise check uncorrelated ones.
void check_mixed(std::uint64_t i, FirstCall first_call = FirstCall::compile) {
  catalogue::Random random(i + 5);
  static const std::vector<std::vector<std::size_t>> kModes = {
      {1},    {2},    {3},      {5},     {8},       {11},      {16},      {40},
      {1, 1}, {2, 7}, {16, 16}, {20, 3}, {1, 1, 1}, {2, 3, 4}, {8, 8, 8}, {1, 16, 2}};
  static constexpr double kTolerances[] = {1e-1, 1e-2, 1e-3, 1e-5, 1e-6, 1e-9, 1e-12};
  static constexpr std::size_t kCounts[] = {1, 3, 50, 300, 2000};
  Structured c;
  NufftTransform& transform = c.transform;
  const bool f64 = random.below(2) == 0 && default_device().f64();
  transform.precision = f64 ? Precision::f64 : Precision::f32;
  transform.sign = random.below(2) == 0 ? -1 : 1;
  if (i % 4 == 3) {
    transform.types = NufftTypes::type3;
    transform.axes = 1 + random.below(3);
    transform.coordinates = Coordinates::radians_f64;
    c.frequencies = 1 + random.below(40);
  } else {
    transform.modes = kModes[random.below(kModes.size())];
    transform.coordinates = static_cast<Coordinates>(random.below(4));
  }
  transform.tolerance = kTolerances[random.below(f64 ? 7 : 5)];
  c.points =
      kCounts[random.below(transform.modes.size() < 3 && product(transform.modes) < 100 ? 5 : 4)];
  do {  // far points of type 3 need a huge grid
    c.places = static_cast<Places>(random.below(7));
  } while (transform.axes > 0 && c.places == Places::far);
  c.numbers = static_cast<Numbers>(random.below(kKindsOfNumbers));
  // Vectors are for work-items that have a core alone.
  const bool cpu = default_device().device.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU;
  c.mapping = random.below(2) == 0 && cpu ? Mapping::vector : Mapping::work_group;
  c.seed = i + 1;
  c.first_call = first_call;
  const double wanted = transform.tolerance;
  for (const auto promise : {NufftPromise::each_value, NufftPromise::norm}) {
    if (promise == NufftPromise::norm && c.numbers != Numbers::random) continue;
    transform.promise = promise;
    transform.tolerance = std::max(wanted, least_tolerance(transform));
    check_structured(c);
  }
}

}  // namespace

TEST_CASE("promises hold for structured numbers", "[nufft]") { check_mixed(0); }
TEST_CASE("promises hold for structured numbers in many cases", "[nufft][long]") {
  for (std::uint64_t i = 1; i < 60; ++i) check_mixed(i);
}
TEST_CASE("promises hold for structured numbers on generic kernels", "[nufft][nufft_generic]") {
  for (std::uint64_t i = 0; i < 60; ++i) check_mixed(i, FirstCall::generic);
}
// Several processes can share the cases: IMAGO_TEST_PART=1/8 has the second of eight parts.
TEST_CASE("promises hold for structured numbers in two thousand cases", "[.][nufft_full]") {
  const char* const word = std::getenv("IMAGO_TEST_PART");
  const std::string part = word ? word : "0/1";
  const std::uint64_t first = std::stoul(part), step = std::stoul(part.substr(part.find('/') + 1));
  for (const FirstCall first_call : {FirstCall::compile, FirstCall::generic})
    for (std::uint64_t i = 60 + first; i < 2060; i += step) check_mixed(i, first_call);
}

namespace {

/// Returns c[j] = exp(i waves x[j]), or its real part, at uniform points in (-pi, pi).
template <class Real>
double error_of_wave(const NufftTransform& transform, double waves, bool cosine) {
  const Device& device = default_device();
  const std::size_t count = 100000, modes = transform.axes > 0 ? 8 : transform.modes[0];
  catalogue::Random random(1);
  std::vector<double> x;
  std::vector<std::complex<Real>> c;
  for (std::size_t j = 0; j < count; ++j) {
    x.push_back(3.14159 * random.uniform());
    const auto value = std::polar(1.0, waves * x[j]);
    c.emplace_back(static_cast<Real>(value.real()), static_cast<Real>(cosine ? 0 : value.imag()));
  }
  NufftPlan plan(device.context, device.device, transform);
  const auto coordinates = device.upload(x);
  const NufftPoints points{{coordinates}, count};
  std::vector<double> s;
  for (std::size_t k = 0; k < modes; ++k)
    s.push_back(static_cast<double>(k) - std::floor(static_cast<double>(modes) / 2));
  const auto frequencies = device.upload(s);
  if (transform.axes > 0)
    plan.set_points(device.queue, points, {{frequencies}, modes});
  else
    plan.set_points(device.queue, points);
  const auto to = device.allocate(plan.modes_bytes()), from = device.upload(c);
  if (transform.axes > 0)
    plan.type3(device.queue, from, to);
  else
    plan.type1(device.queue, from, to);
  return measured<Real>(device.download<std::complex<Real>>(to, modes), c, count, modes,
                        [&](std::size_t j) {
                          std::vector<Long> own;
                          for (const double k : s)
                            own.push_back(std::polar(1.0L, static_cast<long double>(k) * x[j]));
                          return own;
                        })
      .each;
}

}  // namespace

// The inputs of a trial, which exceeded the tolerance of the norm up to a hundred times.
TEST_CASE("tones outside of the modes keep the promise for each value", "[nufft][long]") {
  NufftTransform transform{.modes = {1}, .tolerance = 1e-3};
  transform.coordinates = Coordinates::radians_f64;
  transform.promise = NufftPromise::each_value;
  transform.types = NufftTypes::type1;
  CHECK(error_of_wave<float>(transform, 8, true) <= 1e-3);
  transform.modes = {2};
  CHECK(error_of_wave<float>(transform, 8, true) <= 1e-3);
  transform.modes = {8};
  transform.tolerance = 0.1;
  CHECK(error_of_wave<float>(transform, -6, false) <= 0.1);
  transform.modes = {16};
  transform.tolerance = 1e-3;
  transform.points = 100000;
  CHECK(error_of_wave<float>(transform, -24, false) <= 1e-3);
  if (!default_device().f64()) return;
  transform.points = 0;
  transform.modes = {};
  transform.axes = 1;
  transform.types = NufftTypes::type3;
  transform.precision = Precision::f64;
  CHECK(error_of_wave<double>(transform, -10, false) <= 1e-3);
}

TEST_CASE("one mode keeps the promise for each value", "[nufft][long]") {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    if (precision == Precision::f64 && !default_device().f64()) continue;
    Structured c;
    c.transform = {.modes = {256},
                   .tolerance = precision == Precision::f64 ? 1e-9 : 1e-5,
                   .precision = precision,
                   .coordinates = Coordinates::radians_f64,
                   .promise = NufftPromise::each_value};
    c.points = 2000;
    c.numbers = Numbers::one;
    c.seed = 256;  // mode -128
    check_structured(c);
  }
}

TEST_CASE("a crowd among other points keeps the tolerance relative to the result", "[nufft]") {
  const Device& device = default_device();
  const std::size_t others = 15000, count = 2 * others, modes = 64;
  catalogue::Random random(3);
  std::vector<float> x;
  std::vector<std::complex<float>> strengths;
  for (std::size_t j = 0; j < count; ++j) {
    const bool crowded = j % 2 == 0;
    x.push_back(crowded ? 0.7F : static_cast<float>(3.14 * random.uniform()));
    strengths.push_back(crowded ? std::complex<float>(1)
                                : std::polar(1.0F, static_cast<float>(4 * random.uniform())));
  }
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    NufftTransform transform{.modes = {modes}, .tolerance = 1e-5};
    transform.types = NufftTypes::type1;
    NufftPlan plan(device.context, device.device, transform, options);
    plan.set_points(device.queue, {{device.upload(x)}, count});
    const auto to = device.allocate(plan.modes_bytes());
    plan.type1(device.queue, device.upload(strengths), to);
    const auto sums = device.download<std::complex<float>>(to, modes);
    long double errors = 0, norm = 0;
    for (std::size_t k = 0; k < modes; ++k) {
      Long exact = 0;
      const auto frequency = static_cast<long double>(k) - modes / 2;
      for (std::size_t j = 0; j < count; ++j)
        exact += Long(strengths[j]) * std::polar(1.0L, frequency * static_cast<long double>(x[j]));
      errors += std::norm(Long(sums[k]) - exact), norm += std::norm(exact);
    }
    INFO("vectors " << (mapping == Mapping::vector));
    CHECK(static_cast<double>(std::sqrt(errors / norm)) <= transform.tolerance);
  }
}

namespace {

void check_one_place(FirstCall first_call, const std::vector<std::size_t>& counts) {
  const Device& device = default_device();
  for (const auto promise : {NufftPromise::norm, NufftPromise::each_value}) {
    for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
      for (const std::vector<std::size_t>& modes :
           {std::vector<std::size_t>{64}, {12, 10}, {6, 5, 4}}) {
        Options options;
        options.parameters.mapping = mapping;
        options.first_call = first_call;
        NufftTransform transform{.modes = modes, .tolerance = 1e-5, .promise = promise};
        transform.tolerance = std::max(transform.tolerance, least_tolerance(transform));
        transform.types = NufftTypes::type1;
        NufftPlan plan(device.context, device.device, transform, options);
        const auto to = device.allocate(plan.modes_bytes());
        for (const std::size_t count : counts) {
          const float place = 0.7F;
          const auto x = device.upload(std::vector<float>(count, place));
          NufftPoints points{{}, count};
          for (std::size_t axis = 0; axis < modes.size(); ++axis)
            points.coordinates.emplace_back(x);
          plan.set_points(device.queue, points);
          plan.type1(device.queue, device.upload(std::vector<std::complex<float>>(count, 1)), to);
          const auto sums = device.download<std::complex<float>>(to, product(modes));
          const std::vector<std::vector<long double>> turns(
              modes.size(), {static_cast<long double>(place) / kTurn});
          const auto exact = factors(transform, turns, 0);
          double worst = 0, squares = 0;
          for (std::size_t k = 0; k < exact.size(); ++k) {
            const auto error = static_cast<double>(
                std::abs(Long(sums[k]) / static_cast<long double>(count) - exact[k]));
            worst = larger(worst, error);
            squares += error * error / static_cast<double>(exact.size());
          }
          INFO(modes.size() << " axes, " << count << " points, promise "
                            << static_cast<int>(promise) << ", vectors "
                            << (mapping == Mapping::vector));
          CHECK((promise == NufftPromise::norm ? std::sqrt(squares) : worst) /
                    transform.tolerance <=
                1);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("sums of many equal strengths in one place keep the tolerance", "[nufft][long]") {
  check_one_place(FirstCall::compile, {1000, 20000, 1000000});
}
TEST_CASE("sums of many equal strengths on generic kernels keep the tolerance",
          "[nufft][nufft_generic]") {
  check_one_place(FirstCall::generic, {20000, 200000});
}
