// This file checks plans on a device: results, norms, layouts, and the descriptions of plans.
#include "api/support.hpp"
#include "base/half.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"

namespace imago {
namespace {

using test::distance;
using test::noise;
using test::transform;
using Float = std::complex<float>;
using Double = std::complex<double>;

constexpr double kClose = 1e-6, kCloseDouble = 1e-14;

TEST_CASE("out of place: the DFT of every batch member, and back", "[api][plan]") {
  const test::Device device;
  constexpr std::size_t kLength = 60, kBatch = 3;
  const Plan plan(device.context, device.device, transform(kLength, kBatch));
  const auto x = noise<float>(kLength * kBatch);
  const auto signal = device.upload(x), spectrum = device.upload(std::vector<Float>(x.size()));
  const auto forth = test::forward(plan, device.queue, signal, spectrum);
  const auto y = device.download<Float>(spectrum, x.size(), forth);
  for (std::size_t b = 0; b < kBatch; ++b) {
    const std::vector<Float> row(y.begin() + b * kLength, y.begin() + (b + 1) * kLength);
    CHECK(distance(row, test::naive_dft(x, b * kLength, kLength, -1)) < kClose);
  }
  CHECK(distance(device.download<Float>(signal, x.size(), forth), x) == 0);
  const auto back = device.upload(std::vector<Float>(x.size()));
  const auto back_again = test::inverse(plan, device.queue, spectrum, back);
  CHECK(distance(device.download<Float>(back, x.size(), back_again), x) < kClose);
}

TEST_CASE("in place, in double precision", "[api][plan]") {
  const test::Device device;
  auto t = transform(45, 2, Placement::in_place);
  t.precision = Precision::f64;
  const Plan plan(device.context, device.device, t);
  const auto x = noise<double>(90);
  const auto data = device.upload(x);
  const auto y = device.download<Double>(data, 90, test::forward(plan, device.queue, data));
  const std::vector<Double> second(y.begin() + 45, y.end());
  CHECK(distance(second, test::naive_dft(x, 45, 45, -1)) < kCloseDouble);
  CHECK(distance(device.download<Double>(data, 90, test::inverse(plan, device.queue, data)), x) <
        kCloseDouble);
}

TEST_CASE("in half precision buffers have half the bytes, and a result is rounded once",
          "[api][plan]") {
  const test::Device device;
  auto t = transform(12);
  t.precision = Precision::f16;
  const Plan plan(device.context, device.device, t);
  CHECK(plan.signal_bytes() == 12 * 4);
  CHECK(plan.spectrum_bytes() == 12 * 4);
  std::vector<std::uint16_t> impulse(24);
  impulse[2] = base::to_half(1.0 / 3);  // element 1
  const auto signal = device.upload(impulse), spectrum = device.allocate(12 * 4);
  CHECK_THROWS_AS(plan.forward(device.queue, signal, device.allocate(12 * 4 - 1)), InvalidArgument);
  const auto done = test::forward(plan, device.queue, signal, spectrum);
  const auto y = device.download<std::uint16_t>(spectrum, 24, done);
  const double height = base::from_half(impulse[2]);
  for (std::size_t k = 0; k < 12; ++k) {
    const auto wave = std::polar(height, -2 * std::numbers::pi * static_cast<double>(k) / 12);
    CHECK(std::abs(base::from_half(y[2 * k]) - wave.real()) <= 0x1.1p-13);
    CHECK(std::abs(base::from_half(y[2 * k + 1]) - wave.imag()) <= 0x1.1p-13);
  }
}

TEST_CASE("every norm scales both directions", "[api][plan]") {
  const test::Device device;
  const auto x = noise<float>(16);
  const auto dft = test::naive_dft(x, 0, 16, -1), idft = test::naive_dft(x, 0, 16, +1);
  const auto scaled = [](std::vector<Double> values, double factor) {
    for (auto& value : values) value *= factor;
    return values;
  };
  const auto check = [&](Norm norm, double forward, double inverse) {
    auto t = transform(16, 1, Placement::in_place);
    t.norm = norm;
    const Plan plan(device.context, device.device, t);
    auto data = device.upload(x);
    CHECK(distance(device.download<Float>(data, 16, test::forward(plan, device.queue, data)),
                   scaled(dft, forward)) < kClose);
    data = device.upload(x);
    CHECK(distance(device.download<Float>(data, 16, test::inverse(plan, device.queue, data)),
                   scaled(idft, inverse)) < kClose);
  };
  check(Norm::none, 1, 1);
  check(Norm::backward, 1, 1.0 / 16);
  check(Norm::ortho, 0.25, 0.25);
  check(Norm::forward, 1.0 / 16, 1);
}

TEST_CASE("offsets and distances, of the layout and of the call", "[api][plan]") {
  const test::Device device;
  auto t = transform(20, 3);
  t.directions = Directions::forward;
  t.signal.offset = 2;
  t.signal.distance = 23;
  t.spectrum.offset = 1;
  t.spectrum.distance = 21;
  const Plan plan(device.context, device.device, t);
  CHECK(plan.signal_bytes() == (2 + 2 * 23 + 20) * sizeof(Float));
  CHECK(plan.spectrum_bytes() == (1 + 2 * 21 + 20) * sizeof(Float));
  const auto x = noise<float>(80);
  const Float canary(7, 7);
  const auto signal = device.upload(x), spectrum = device.upload(std::vector<Float>(80, canary));
  const auto done = test::forward(plan, device.queue, {signal, 3}, {spectrum, 4});
  const auto y = device.download<Float>(spectrum, 80, done);
  std::size_t untouched = std::count(y.begin(), y.end(), canary);
  CHECK(untouched == 80 - 3 * 20);
  for (std::size_t b = 0; b < 3; ++b) {
    const auto from = y.begin() + 5 + 21 * b;
    CHECK(distance(std::vector<Float>(from, from + 20), test::naive_dft(x, 5 + 23 * b, 20, -1)) <
          kClose);
  }
}

TEST_CASE("length 1 and batch 1", "[api][plan]") {
  const test::Device device;
  const Plan plan(device.context, device.device, transform(1));
  const std::vector<Float> x{{3, -4}};
  const auto signal = device.upload(x), spectrum = device.upload(std::vector<Float>(1));
  CHECK(device.download<Float>(spectrum, 1, test::forward(plan, device.queue, signal, spectrum)) ==
        x);
}

TEST_CASE("plans of several kernels, with and without a workspace", "[api][plan]") {
  const test::Device device;
  const auto x = noise<float>(512);
  const auto expected = test::naive_dft(x, 256, 256, -1);
  const auto second = [](const std::vector<Float>& y) {
    return std::vector(y.begin() + 256, y.end());
  };

  const Plan apart(device.context, device.device, transform(256, 2), test::two_kernels());
  CHECK(apart.sources().size() >= 2);
  const auto signal = device.upload(x), spectrum = device.upload(std::vector<Float>(512));
  const auto done = test::forward(apart, device.queue, signal, spectrum);
  CHECK(distance(second(device.download<Float>(spectrum, 512, done)), expected) < kClose);

  const Plan in_place(device.context, device.device, transform(256, 2, Placement::in_place),
                      test::two_kernels());
  CHECK(in_place.workspace_bytes() > 0);
  const auto moved = test::forward(in_place, device.queue, signal);
  CHECK(distance(second(device.download<Float>(signal, 512, moved)), expected) < kClose);
}

TEST_CASE("a plan outlives the handles that it was made from, and moves", "[api][plan]") {
  const auto x = noise<float>(16);
  test::Device device;
  Plan first(cl::Context(device.context), cl::Device(device.device),
             transform(16, 1, Placement::in_place));
  Plan plan = std::move(first);
  first = std::move(plan);
  const auto data = device.upload(x);
  CHECK(distance(device.download<Float>(data, 16, test::forward(first, device.queue, data)),
                 test::naive_dft(x, 0, 16, -1)) < kClose);
}

TEST_CASE("a plan describes itself", "[api][plan]") {
  const test::Device device;
  auto t = transform(60, 3);
  t.directions = Directions::inverse;
  const Plan plan(device.context, device.device, t);
  CHECK(plan.transform() == t);
  const auto text = plan.describe(), name = plan.sources().at(0).name;
  CHECK_THAT(text, test::ContainsSubstring("complex-60-f32-out_of_place, batch 3"));
  CHECK_THAT(text, test::ContainsSubstring("inverse\n"));
  CHECK_THAT(text, test::ContainsSubstring(name));
  CHECK_THAT(plan.sources().at(0).source, test::ContainsSubstring(name));
  const auto expected = estimate(device.device, t);
  CHECK(expected.signal_bytes == plan.signal_bytes());
  CHECK(expected.workspace_bytes == plan.workspace_bytes());
  CHECK(expected.table_bytes == plan.table_bytes());
  CHECK(expected.kernels == plan.sources().size());
  CHECK(expected.bytes_moved >= 60 * 3 * 8 * 2);
}

TEST_CASE("a plan's description names the arrays as its functions do", "[api][plan]") {
  const test::Device device;
  const auto said = [&](Transform t) { return Plan(device.context, device.device, t).describe(); };
  Transform t{.kind = Kind::real, .lengths = {12, 8}};
  t.directions = Directions::forward;
  const std::string forward = said(t);
  CHECK_THAT(forward, test::ContainsSubstring(", signal -> "));
  CHECK_THAT(forward, test::ContainsSubstring(" -> spectrum, "));
  t.directions = Directions::inverse;
  const std::string inverse = said(t);
  CHECK_THAT(inverse, test::ContainsSubstring(", spectrum -> "));
  CHECK_THAT(inverse, test::ContainsSubstring(" -> signal, "));
  t.placement = Placement::in_place;
  const std::string in_place = said(t);
  CHECK_THAT(in_place, test::ContainsSubstring(", data -> "));
  CHECK_THAT(in_place, test::ContainsSubstring(" -> data, "));
  for (const auto& text : {forward, inverse, in_place})
    CHECK(text.find("put -> ") == text.npos);  // input, output
}

TEST_CASE("both directions share the kernels that are the same", "[api][plan]") {
  const test::Device device;
  auto t = transform(60);
  t.norm = Norm::none;
  const auto both = Plan(device.context, device.device, t).sources();
  std::vector<std::string> names;
  for (const auto& source : both) names.push_back(source.name);
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("batches and offsets never compile again", "[api][plan][compilations]") {
  const test::Device device;
  const test::LogLines log;
  Options options;
  options.disk_cache = false;
  options.trust_device = true;  // the self-test compiles kernels of its own
  release_memory();
  std::vector<Plan> kept;  // keeps the kernels alive, so that the rest is quick
  const auto plan_all = [&] {
    for (std::size_t batch = 1; batch <= 1000; ++batch) {
      auto t = transform(16, batch);
      t.directions = Directions::forward;
      t.signal.offset = batch % 8;
      t.spectrum.offset = batch / 8 % 8;
      Plan plan(device.context, device.device, t, options);
      if (batch == 1 || batch == 1000) kept.push_back(std::move(plan));
    }
  };
  plan_all();
  const auto first = log.count("compiled ");
  CHECK(first >= 1);
  // Small work has kernels of its own, with fewer tiles per work-item: powers of two.
  CHECK(first <= 8);
  plan_all();
  CHECK(log.count("compiled ") == first);
}

}  // namespace
}  // namespace imago
