// This file makes points, and computes direct sums in long double.
#include "nufft_device/sums.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "support/larger.hpp"

namespace imago::test {
namespace {

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
    case Places::two_clusters:
      return (j % 2 == 0 ? -0.3 : 0.2) + 1e-5 * random.uniform();
    case Places::crowd:  // most in one bin, a thousand in each of its neighbours
      return 0.4 + (j % 4 == 0 ? 0.15 + 0.15 * random.uniform() : 0);
  }
  return 0;
}

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

template <class Real>
Errors errors_of(const NufftTransform& transform, std::size_t count, Places places,
                 const Options& options) {
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

}  // namespace

std::size_t product(const std::vector<std::size_t>& lengths) {
  std::size_t size = 1;
  for (const std::size_t length : lengths) size *= length;
  return size;
}

template <class Number, class Round, class Exact>
void Points::add(std::size_t axis, const std::vector<double>& own, Round round, Exact exact) {
  std::vector<Number> numbers;
  for (const double t : own) numbers.push_back(round(t));
  buffers.push_back(default_device().upload(numbers));
  for (std::size_t j = 0; j < on_device.count; ++j) turns[axis].push_back(exact(numbers[j]));
}

Points::Points(const NufftTransform& transform, std::size_t axes, std::size_t count, Places places,
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

Errors errors_of(const NufftTransform& transform, std::size_t count, Places places,
                 const Options& options) {
  return transform.precision == Precision::f64
             ? errors_of<double>(transform, count, places, options)
             : errors_of<float>(transform, count, places, options);
}

}  // namespace imago::test
