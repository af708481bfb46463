// This file tests the hook that adds to memory: each element must be added exactly once.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <vector>

#include <imago/imago.hpp>

#include "hooks/trial.hpp"
#include "problem/make_problem.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/larger.hpp"

using namespace imago;
using namespace imago::test;

namespace {

void adds(Trial trial, Compute* compute) {
  trial.transform.on_forward.store = {hook::scale(0.5), hook::accumulate()};
  trial.transform.on_inverse = trial.transform.on_forward;
  run(trial, compute);
  trial.inverse = true;
  if (trial.transform.kind == Kind::complex) run(trial, compute);
}

/// Returns the numbers that an inverse transform of ones, twos and so on adds to zeros.
std::vector<float> inverted(Trial trial, const std::vector<Hook>& store) {
  trial.transform.directions = Directions::inverse;
  trial.transform.on_inverse.store = store;
  const auto p = problem::make_problem(trial.transform);
  std::vector<float> x(p.bytes(true) / sizeof(float));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(1 + i % 13);
  const auto* bytes = reinterpret_cast<const std::byte*>(x.data());
  const auto out = interpreted(trial.transform, trial.options.parameters.mapping,
                               {bytes, bytes + x.size() * sizeof(float)}, {});
  std::vector<float> y(out.size() / sizeof(float));
  std::memcpy(y.data(), out.data(), out.size());
  return y;
}

}  // namespace

TEST_CASE("Kernels add each element to memory once", "[long]") {
  over(kShapes, [](Trial trial) {
    adds(trial, on_interpreter);
    trial.transform.precision = Precision::f64;
    adds(trial, on_interpreter);
    trial.transform.precision = Precision::f16;
    adds(trial, on_interpreter);
    trial.transform.precision = Precision::f32;
    trial.options.parameters.algorithm = Algorithm::hierarchy;
    const auto length = trial.transform.lengths.back();
    if (trial.transform.lengths.size() == 1 && (length == 60 || length == 1024))
      adds(trial, on_interpreter);
  });
}

TEST_CASE("Inverse real and cosine transforms add each element to memory once") {
  over(kShapes, {Kind::real, Kind::dct2}, [](const Trial& trial) {
    const auto sum = inverted(trial, {hook::accumulate()}), plain = inverted(trial, {});
    REQUIRE(sum.size() == plain.size());
    double largest = 0, worst = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      largest = std::max(largest, std::abs(double{plain[i]}));
      worst = test::larger(worst, std::abs(double{sum[i]} - double{plain[i]}));
    }
    CHECK(worst <= 1e-5 * largest);
  });
}

TEST_CASE("Cosine and sine transforms add each element to memory once", "[long]") {
  for (const Kind kind :
       {Kind::dct1, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4}) {
    over(kShapes, {Kind::dct2}, [kind](Trial trial) {
      const auto& lengths = trial.transform.lengths;
      if (std::find(lengths.begin(), lengths.end(), 1u) != lengths.end()) return;
      trial.transform.kind = kind;
      trial.transform.on_forward.store = {hook::accumulate()};
      run(trial, on_interpreter);
    });
  }
}

TEST_CASE("Planar, padded and shifted elements are added to memory once") {
  over(kShapes, {Kind::complex, Kind::real}, [](Trial trial) {
    trial.transform.spectrum.storage = Storage::planar;
    adds(trial, on_interpreter);
    trial.transform.spectrum.storage = {};
    const auto p = problem::make_problem(trial.transform);
    const std::size_t m = p.spectrum.lengths[0];
    trial.transform.on_forward.store = {hook::shift({0}), hook::zero_outside(0, m / 4, m - m / 4),
                                        hook::accumulate()};
    run(trial, on_interpreter);
  });
}

TEST_CASE("Filters add each element to memory once") {
  over(kShapes, {Kind::complex, Kind::real}, [](Trial trial) {
    std::size_t factors = 1;
    for (const auto n : problem::make_problem(trial.transform).spectrum_lengths()) factors *= n;
    trial.arguments["h"] = numbers(factors, 5, false);
    trial.filter = {hook::multiply("h")};
    trial.transform.on_forward.store = {hook::accumulate()};
    run(trial, on_interpreter);
    if (trial.transform.kind == Kind::real || trial.transform.lengths.size() > 1) return;
    trial.transform.signal.storage = trial.transform.spectrum.storage = Storage::real;
    trial.arguments["h"] = std::vector<Complex>(factors, 0.75);  // the spectrum of a real impulse
    for (const bool of_real : {true, false}) {
      trial.filter = {hook::multiply("h", {.of_real = of_real})};
      run(trial, on_interpreter);
    }
  });
}

TEST_CASE("Convolutions add each element to memory once", "[long]") {
  const Device& device = default_device();
  const std::vector<ConvolutionShape> shapes{
      {.signal = {100}, .kernel = {7}, .batch = 3},
      {.signal = {1000}, .kernel = {65}, .extent = Extent::same, .complex = true},
      {.signal = {20, 30}, .kernel = {3, 5}, .extent = Extent::valid, .batch = 2},
      {.signal = {50}, .kernel = {50}, .extent = Extent::circular, .channels = 3}};
  for (ConvolutionShape shape : shapes) {
    const auto results = [&](float before) {
      const Convolution convolution(device.context, device.device, shape);
      const auto ramp = [&](std::size_t bytes) {
        std::vector<float> x(bytes / sizeof(float));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 11) - 4;
        return device.upload(x);
      };
      const std::size_t count = convolution.result_bytes() / sizeof(float);
      const auto spectrum = device.allocate(convolution.spectrum_bytes());
      const auto y = device.upload(std::vector<float>(count, before));
      convolution.prepare(device.queue, ramp(convolution.kernel_bytes()), spectrum);
      convolution.apply(device.queue, ramp(convolution.signal_bytes()), spectrum, y);
      return device.download<float>(y, count);
    };
    const auto plain = results(0);
    shape.ends.store = {hook::accumulate()};
    const auto sums = results(16);
    double largest = 0, worst = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      largest = std::max(largest, std::abs(double{plain[i]}));
      worst = test::larger(worst, std::abs(double{sums[i]} - 16 - double{plain[i]}));
    }
    CAPTURE(shape.signal.size(), shape.channels, worst, largest);
    CHECK(worst <= 1e-5 * largest);
  }
}

TEST_CASE("Plans add to memory", "[long]") {
  over({{{60}, 3}, {{12, 64}, 3}}, [](const Trial& trial) { adds(trial, on_device); });
}

TEST_CASE("Overlap-add: frames that do not overlap are added in one launch") {
  constexpr std::size_t kFrame = 60, kHop = 16, kFrames = 37, kBins = kFrame / 2 + 1;
  constexpr std::size_t kPhases = (kFrame + kHop - 1) / kHop;  // frames that share a sample
  const std::size_t samples = (kFrames - 1) * kHop + kFrame;
  Device device;
  std::vector<float> spectra(kFrames * kBins * 2), window(kFrame);
  for (std::size_t i = 0; i < spectra.size(); ++i)
    spectra[i] = static_cast<float>(i * 7919 % 101) / 101;
  for (std::size_t j = 0; j < kFrame; ++j) window[j] = static_cast<float>(j + 1) / kFrame;
  const auto in = device.upload(spectra), by = device.upload(window);
  const auto sum = device.upload(std::vector<float>(samples));
  Transform frames{.kind = Kind::real, .lengths = {kFrame}, .directions = Directions::inverse};
  frames.on_inverse.store = {hook::window(0, "w")};

  frames.batch = kFrames;
  const auto apart = device.upload(std::vector<float>(kFrames * kFrame));
  Plan(device.context, device.device, frames)
      .inverse(device.queue, in, apart, {.arguments = {{"w", by}}});
  const auto each = device.download<float>(apart, kFrames * kFrame);
  std::vector<double> expected(samples);
  for (std::size_t i = 0; i < each.size(); ++i)
    expected[i / kFrame * kHop + i % kFrame] += double{each[i]};

  frames.on_inverse.store.push_back(hook::accumulate());
  for (std::size_t phase = 0; phase < kPhases; ++phase) {
    frames.batch = (kFrames - phase + kPhases - 1) / kPhases;
    frames.signal = {.strides = {1}, .distance = kPhases * kHop, .offset = phase * kHop};
    frames.spectrum = {.strides = {1}, .distance = kPhases * kBins, .offset = phase * kBins};
    Plan(device.context, device.device, frames)
        .inverse(device.queue, in, sum, {.arguments = {{"w", by}}});
  }
  const auto found = device.download<float>(sum, samples);
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    worst = test::larger(worst, std::abs(double{found[i]} - expected[i]));
  }
  CHECK(worst <= 1e-6 * largest);
}

TEST_CASE("Arrays in host memory are added to") {
  const bool copies = GENERATE(false, true);
  const Pool pool(std::vector{default_device().device}, {.copies = copies});
  const HostPlan plan(pool, {.kind = Kind::real,
                             .lengths = {12},
                             .batch = 2,
                             .directions = Directions::forward,
                             .on_forward = {.store = {hook::accumulate()}}});
  const std::vector<float> ones(24, 1);
  std::vector<std::complex<float>> sum(14, {5, -2});
  plan.forward(ones, sum);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const std::complex<float> added = sum[i] - std::complex<float>(5, -2);
    CHECK(std::abs(added - (i % 7 == 0 ? 12.0f : 0.0f)) < 1e-5f);
  }
}
