// This file tests what surrounds a transform: frames, windows, lengths, amplitudes and peaks.
#include "analysis.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "support/catch.hpp"

namespace imago::command {
namespace {

using test::Approx;
using Complex = std::complex<double>;

TEST_CASE("frames cover every sample, and no frame is only padding") {
  CHECK(Framing{4, 4}.count(1) == 1);
  CHECK(Framing{4, 4}.count(4) == 1);
  CHECK(Framing{4, 4}.count(5) == 2);
  CHECK(Framing{4, 2}.count(5) == 2);
  CHECK(Framing{4, 2}.count(6) == 2);
  CHECK(Framing{4, 2}.count(7) == 3);
  CHECK(Framing{4, 1}.count(7) == 4);
}

TEST_CASE("rows are cut one after the other and padded with zeros") {
  const std::vector<Complex> signal{1, 2, 3, 4, 5, 11, 12, 13, 14, 15};
  const auto frames = cut(signal, 2, Framing{4, 2}, Window::none);
  CHECK(frames == std::vector<Complex>{1, 2, 3, 4, 3, 4, 5, 0, 11, 12, 13, 14, 13, 14, 15, 0});
  CHECK(cut(signal, 2, Framing{7, 7}, Window::none) ==
        std::vector<Complex>{1, 2, 3, 4, 5, 0, 0, 11, 12, 13, 14, 15, 0, 0});
}

TEST_CASE("the Hann window spans the samples that are there") {
  const std::vector<Complex> ones(4, 1);
  const auto frame = cut(ones, 1, Framing{6, 6}, Window::hann);
  const std::vector<double> expected{0, 0.5, 1, 0.5, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) CHECK(frame[i].real() == Approx(expected[i]).margin(1e-15));
  CHECK(window_sum(Window::hann, 4) == Approx(2));
  CHECK(window_sum(Window::none, 4) == 4);
}

TEST_CASE("bins are in ascending order of frequency") {
  const Bins even{4, false}, odd{5, false}, real{6, true};
  CHECK(even.first() == -2);
  CHECK(even.at(0) == 2);
  CHECK(even.at(2) == 0);
  CHECK(odd.first() == -2);
  CHECK(odd.at(0) == 3);
  CHECK(odd.at(2) == 0);
  CHECK(odd.at(4) == 2);
  CHECK(real.count() == 4);
  CHECK(real.at(3) == 3);
}

TEST_CASE("a sinusoid shows with its amplitude at its frequency") {
  constexpr std::size_t n = 64;
  std::vector<Complex> spectrum(n);
  spectrum[5] = spectrum[n - 5] = 0.5 * n * 0.25;  // 0.25 cos(2 pi 5 j / n)
  spectrum[0] = 0.125 * n;
  const Bins bins{n, true};
  const auto values = amplitudes(std::span<const Complex>(spectrum), bins, n);
  CHECK(values[5] == Approx(0.25));
  CHECK(values[0] == Approx(0.125));
  CHECK(decibels(values[5]) == Approx(-12.0412));
  const auto found = peaks(values, 3, 1);
  REQUIRE(found.size() == 1);
  CHECK(found[0].bin == Approx(5).margin(1e-6));
}

TEST_CASE("peaks come strongest first and keep their distance") {
  const std::vector<double> values{0, 3, 0, 9, 1, 8, 0, 0, 0, 5, 0};
  const auto near = peaks(values, 9, 1), apart = peaks(values, 2, 4);
  REQUIRE(near.size() == 4);
  CHECK(near[0].amplitude == 9);
  CHECK(near[3].amplitude == 3);
  REQUIRE(apart.size() == 2);
  CHECK(apart[1].amplitude == 5);
  CHECK(peaks(std::vector<double>(5, 0.0), 3, 1).empty());
}

TEST_CASE("a peak between two bins is found between them") {
  const auto hump = [](double x) { return std::pow(10, -0.02 * (x - 6.3) * (x - 6.3)); };
  std::vector<double> values(12);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = hump(static_cast<double>(i));
  CHECK(peaks(values, 1, 1).at(0).bin == Approx(6.3));
}

}  // namespace
}  // namespace imago::command
