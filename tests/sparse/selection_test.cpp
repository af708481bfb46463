// This file checks which coefficients of a dense spectrum are listed, and the verdict on the list.
#include "sparse/selection.hpp"

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "support/catch.hpp"

namespace imago {
namespace {

using sparse::Floor;

sparse::Request request() {
  sparse::Request request;
  request.length = 1 << 16;
  return request;
}

std::vector<std::uint32_t> histogram(const std::vector<float>& magnitudes) {
  std::vector<std::uint32_t> bins(sparse::kDenseBins);
  for (const float size : magnitudes) ++bins[std::bit_cast<std::uint32_t>(size) >> 20];
  return bins;
}

/// Returns magnitudes of white noise of root mean square 1.
std::vector<float> noise(std::size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> gauss(0, std::sqrt(0.5f));
  std::vector<float> magnitudes(count);
  for (auto& size : magnitudes) size = std::hypot(gauss(random), gauss(random));
  return magnitudes;
}

TEST_CASE("Tones are told from noise", "[sparse]") {
  auto magnitudes = noise(1 << 18);
  for (int i = 0; i < 50; ++i) magnitudes[1000 * i] = 100;
  const auto selection = sparse::select(histogram(magnitudes), Precision::f32, 65536, Floor::noise);
  CHECK(selection.finite);
  CHECK(selection.above == 50);
  CHECK(selection.threshold > 5);
  CHECK(selection.threshold < 9);
  CHECK(selection.median == test::Approx(std::sqrt(std::log(2.0))).epsilon(0.15));
}

TEST_CASE("Rounding below the largest coefficient is not listed", "[sparse]") {
  std::vector<float> magnitudes(4096, 0);
  magnitudes[7] = 1;
  for (int i = 100; i < 200; ++i) magnitudes[i] = 1e-8f;
  const auto selection = sparse::select(histogram(magnitudes), Precision::f32, 100, Floor::noise);
  CHECK(selection.above == 1);
  CHECK(selection.threshold >= 1e-6);
  CHECK(selection.rounding == test::Approx(1e-6 * selection.scale));
}

TEST_CASE("A list holds no more than its capacity", "[sparse]") {
  std::vector<float> magnitudes(1024, 0);
  for (int i = 0; i < 100; ++i) magnitudes[i] = std::ldexp(1.0f, i / 10);
  const auto selection = sparse::select(histogram(magnitudes), Precision::f32, 35, Floor::noise);
  CHECK(selection.above == 30);
  CHECK(selection.threshold == 72);  // above the bin that holds 64
}

TEST_CASE("Without a noise floor all but the rounding is listed", "[sparse]") {
  const auto bins = histogram(noise(4096));
  CHECK(sparse::select(bins, Precision::f32, 4096, Floor::noise).above == 0);
  CHECK(sparse::select(bins, Precision::f32, 4096, Floor::rounding).above == 4096);
}

TEST_CASE("The residual is what Parseval's identity says", "[sparse]") {
  sparse::Selection selection;
  selection.scale = 2;
  const sparse::Listed listed{{{0, 2.0}, {5, 4.0}}, 1.25};
  CHECK(sparse::residual(listed, selection, request()) == test::Approx(std::sqrt(1.25 / 6.25)));
  auto half = request();
  half.real = true;  // all but the first and the last represent two
  CHECK(sparse::residual(listed, selection, half) == test::Approx(std::sqrt(1.25 / 10.25)));
  CHECK(sparse::residual({}, selection, half) == 0);
}

TEST_CASE("Zeros have no threshold", "[sparse]") {
  const auto selection =
      sparse::select(histogram(std::vector<float>(512, 0)), Precision::f32, 512, Floor::noise);
  CHECK(selection.finite);
  CHECK(selection.above == 0);
  CHECK(selection.threshold < 1e-37);
  CHECK(sparse::dense_verdict(selection, 0, {}, request()) == Verdict::verified);
}

TEST_CASE("Magnitudes that floats cannot hold are scaled by their largest exponent", "[sparse]") {
  std::vector<std::uint32_t> exponents(sparse::kDenseBins);
  exponents[3] = 100;
  const auto gain = [&](unsigned top, Precision precision) {
    auto counts = exponents;
    ++counts[top];
    return sparse::gain_of(counts, precision);
  };
  CHECK(gain(1023 - 146, Precision::f64) == 0x1p146);
  CHECK(gain(2046, Precision::f64) == 0x1p-1022);
  CHECK(gain(2047, Precision::f64) == 1);  // not finite
  CHECK(gain(127 + 100, Precision::f32) == 0x1p-100);
  CHECK(gain(255, Precision::f32) == 1);
  std::fill(exponents.begin(), exponents.end(), 0);
  CHECK(gain(0, Precision::f32) == 0x1p126);  // denormals
  CHECK(gain(0, Precision::f64) == 0x1p1022);

  CHECK(sparse::fits_floats(histogram({0, 0, 0})));
  CHECK(sparse::fits_floats(histogram({1e-38f, 1e-10f})));
  CHECK_FALSE(sparse::fits_floats(histogram({0, 1.2e-38f})));
  CHECK_FALSE(sparse::fits_floats(histogram({1, INFINITY})));
}

TEST_CASE("Results that are multiples of a number have an error of as much", "[sparse]") {
  constexpr std::uint64_t kCount = 4096;
  std::vector<float> magnitudes(kCount, 1e-5f);
  magnitudes[7] = 1;
  const auto scaling = sparse::scaling_of(0x1p100, 0x1p-122, kCount);  // multiples of 2^-22
  const auto selection =
      sparse::select(histogram(magnitudes), Precision::f32, kCount, Floor::rounding, scaling);
  CHECK(selection.rounding == 4 * 64 * 0x1p-22);
  CHECK(selection.above == 1);
  auto two = request();
  two.length = kCount;
  const sparse::Listed listed{{{7, 0x1p-100}}, 0};
  CHECK(sparse::residual(listed, selection, two) ==
        test::Approx(std::sqrt(2) * 0x1p-10).epsilon(1e-5));
  CHECK(sparse::residual({{}, 0}, selection, two) == 0);
}

TEST_CASE("Magnitudes that are infinite or NaN are unverified", "[sparse]") {
  for (const float wrong : {INFINITY, NAN}) {
    std::vector<float> magnitudes(512, 1);
    magnitudes[3] = wrong;
    const auto selection = sparse::select(histogram(magnitudes), Precision::f32, 512, Floor::noise);
    CHECK_FALSE(selection.finite);
    CHECK(sparse::dense_verdict(selection, 0, {}, request()) == Verdict::unverified);
  }
}

TEST_CASE("A dense spectrum's verdict tells noise from content", "[sparse]") {
  auto magnitudes = noise(1 << 16);
  magnitudes[5] = 1000;
  const auto selection = sparse::select(histogram(magnitudes), Precision::f32, 65536, Floor::noise);
  const double rest = 65536 / (selection.scale * selection.scale);
  const auto verdict = [&](double residual, const sparse::Listed& listed) {
    return sparse::dense_verdict(selection, residual, listed, request());
  };
  const std::vector<sparse::Tone> one{{5, 1000}};
  CHECK(verdict(0.25, {one, rest}) == Verdict::noise_floor);
  CHECK(verdict(0.25, {one, 2 * rest}) == Verdict::unverified);
  CHECK(verdict(1e-5, {one, rest}) == Verdict::verified);
  // With any amount of noise the tone is above it. Noise only gives no verdict, and neither does a
  // list without a noise floor.
  CHECK(verdict(0.95, {one, rest}) == Verdict::noise_floor);
  CHECK(verdict(1, {{}, rest}) == Verdict::unverified);
  const auto all = sparse::select(histogram(magnitudes), Precision::f32, 65536, Floor::rounding);
  CHECK(sparse::dense_verdict(all, 0.25, {one, rest}, request()) == Verdict::unverified);
}

}  // namespace
}  // namespace imago
