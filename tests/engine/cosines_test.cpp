// This file tests cosine and sine transforms without a second library: the inverse undoes forward,
// orthogonal ones keep the energy, and DCT-I to IV of an impulse are the cosines of their
// definitions.
#include <cmath>
#include <numbers>

#include "catalogue/catalogue.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/naive.hpp"

using namespace imago;
using imago::test::default_device;

namespace {

constexpr Kind kCosines[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                             Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

constexpr Norm kNorms[] = {Norm::backward, Norm::ortho, Norm::forward};

std::vector<float> random_values(std::size_t count) {
  catalogue::Random random(count);
  std::vector<float> values(count);
  for (auto& value : values) value = static_cast<float>(random.uniform());
  return values;
}

Plan plan_of(const Transform& transform, Mapping mapping = Mapping::automatic) {
  Options options;
  options.parameters.mapping = mapping;
  return Plan(default_device().context, default_device().device, transform, options);
}

std::vector<float> call(const Plan& plan, const std::vector<float>& x, bool inverse) {
  const auto& device = default_device();
  const std::size_t bytes = inverse ? plan.signal_bytes() : plan.spectrum_bytes();
  const auto in = device.upload(x), out = device.allocate(bytes);
  inverse ? plan.inverse(device.queue, in, out) : plan.forward(device.queue, in, out);
  return device.download<float>(out, bytes / sizeof(float));
}

double distance(const std::vector<float>& found, const std::vector<float>& expected) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double off = static_cast<double>(found[i]) - expected[i];
    error += off * off;
    norm += static_cast<double>(expected[i]) * expected[i];
  }
  return std::sqrt(error / norm);
}

/// Returns the bound of two transforms in sequence, each of a single member.
double bound(const Transform& transform) {
  catalogue::Case problem;
  problem.lengths.assign(transform.lengths.begin(), transform.lengths.end());
  problem.kind = transform.kind;
  problem.axes = transform.axes;
  return 4 * catalogue::error_bound(problem);
}

void check_undone(const Transform& transform, Mapping mapping) {
  const Plan plan = plan_of(transform, mapping);
  const auto x = random_values(plan.signal_bytes() / sizeof(float));
  CHECK(distance(call(plan, call(plan, x, false), true), x) < bound(transform));
}

}  // namespace

TEST_CASE("the inverse of a cosine or sine transform undoes it", "[cosines][long]") {
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  std::size_t turn = 0;
  for (const Kind kind : kCosines) {
    for (const std::size_t n : {5, 16, 37}) {
      const Norm norm = kNorms[turn++ % std::size(kNorms)];
      CAPTURE(static_cast<int>(kind), n, static_cast<int>(norm), static_cast<int>(mapping));
      check_undone({.kind = kind, .lengths = {n}, .batch = 2, .norm = norm}, mapping);
    }
  }
}

TEST_CASE("mixed kinds are undone, too", "[cosines][long]") {
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  std::size_t turn = 0;
  for (const auto& [axes, lengths] :
       std::vector<std::pair<std::vector<Kind>, std::vector<std::size_t>>>{
           {{Kind::dct2, Kind::dct2}, {8, 8}},
           {{Kind::dst1, Kind::dct2}, {7, 12}},
           {{Kind::dct3, Kind::identity, Kind::dst4}, {6, 3, 10}},
           {{Kind::dct2, Kind::complex}, {9, 16}},
           {{Kind::dct4, Kind::real}, {5, 16}}}) {
    const Norm norm = kNorms[turn++ % std::size(kNorms)];
    CAPTURE(axes, static_cast<int>(norm), static_cast<int>(mapping));
    check_undone({.axes = axes, .lengths = lengths, .batch = 2, .norm = norm}, mapping);
  }
}

TEST_CASE("orthogonal transforms keep the energy", "[cosines]") {
  for (const Kind kind : kCosines) {
    const Transform transform{.kind = kind, .lengths = {50}, .norm = Norm::ortho};
    const auto x = random_values(50), spectrum = call(plan_of(transform), x, false);
    double before = 0, after = 0;
    for (const double value : x) before += value * value;
    for (const double value : spectrum) after += value * value;
    CHECK(std::abs(after / before - 1) < bound(transform));
  }
}

TEST_CASE("an impulse becomes a cosine", "[cosines]") {
  constexpr std::size_t kPoints = 12, kAt = 3;
  const auto x = [](double j, double k, double n) {
    return 2 * std::cos(std::numbers::pi * j * k / n);
  };
  const auto check = [&](Kind kind, double j, double shift, double n) {
    const Plan plan = plan_of({.kind = kind, .lengths = {kPoints}});
    std::vector<float> impulse(kPoints), expected;
    impulse[kAt] = 1;
    for (std::size_t k = 0; k < kPoints; ++k)
      expected.push_back(static_cast<float>(x(j, static_cast<double>(k) + shift, n)));
    CHECK(distance(call(plan, impulse, false), expected) < 1e-6);
  };
  check(Kind::dct1, kAt, 0, kPoints - 1);
  check(Kind::dct2, kAt + 0.5, 0, kPoints);
  check(Kind::dct3, kAt, 0.5, kPoints);
  check(Kind::dct4, kAt + 0.5, 0.5, kPoints);
}
