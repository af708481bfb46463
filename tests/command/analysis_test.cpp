// This file tests the analysis around a transform: frames, windows, lengths, amplitudes and peaks.
#include "analysis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

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

TEST_CASE("frequencies of complex samples lie around the centre") {
  const FrequencyScale even{{8, false}, 800, 1e6}, odd{{5, false}, {}}, real{{8, true}, 800},
      without_rate{{8, false}, {}, 1e6};
  CHECK(even.at(0) == 1e6 - 400);
  CHECK(even.at(4.5) == 1e6 + 50);
  CHECK(odd.at(0) == Approx(-0.4));
  CHECK(odd.at(4) == Approx(0.4));
  CHECK(real.at(0) == 0);
  CHECK(real.at(4) == 400);
  CHECK(even.of(-1) == 1e6 - 100);
  CHECK(without_rate.at(0) == -0.5);  // cycles per sample, to which no Hz are added
  CHECK(without_rate.of(2) == 0.25);
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
  const auto found = peaks(values, 3, 1, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].bin == Approx(5).margin(1e-6));
}

TEST_CASE("peaks come strongest first and keep their distance") {
  const std::vector<double> values{0, 3, 0, 9, 1, 8, 0, 0, 0, 5, 0};
  const auto near = peaks(values, 9, 1, {}), apart = peaks(values, 2, 4, {});
  REQUIRE(near.size() == 4);
  CHECK(std::lround(near[0].bin) == 3);
  CHECK(std::lround(near[3].bin) == 1);
  REQUIRE(apart.size() == 2);
  CHECK(std::lround(apart[1].bin) == 9);
  CHECK(peaks(std::vector<double>(5, 0.0), 3, 1, {}).empty());
  CHECK(peaks(values, 9, 1, {}, 5).size() == 3);
  CHECK(peaks(values, 9, 1, {}, 5.01).size() == 2);
}

TEST_CASE("noise exceeds its threshold in few spectra, and 3 dB less in many") {
  constexpr std::size_t kBins = 256, kTrials = 400;
  std::mt19937_64 random(1);
  std::exponential_distribution<double> power;
  for (const std::size_t frames : {1, 3, 10}) {
    CAPTURE(frames);
    const double threshold = noise_threshold(kBins, static_cast<double>(frames));
    std::size_t over = 0, over_less = 0;
    for (std::size_t trial = 0; trial < kTrials; ++trial) {
      std::vector<double> sums(kBins);
      for (double& sum : sums)
        for (std::size_t frame = 0; frame < frames; ++frame) sum += power(random);
      std::sort(sums.begin(), sums.end());
      const double level = 10 * std::log10(sums.back() / sums[kBins / 2]);
      over += level > threshold, over_less += level > threshold - 3;
    }
    CHECK(over <= kTrials / 50);
    CHECK(over_less > kTrials / 10);
  }
  CHECK(noise_threshold(1024, 1000) == 6);
}

TEST_CASE("a sinusoid between two bins has its frequency and its amplitude in every window") {
  constexpr std::size_t n = 512;
  for (const Window window : {Window::none, Window::hann, Window::hamming, Window::blackman,
                              Window::blackman_harris, Window::flat_top}) {
    for (const std::size_t span : {n, n / 2}) {  // zeros follow the samples
      const Lobe lobe{window, static_cast<double>(n) / static_cast<double>(span)};
      for (const double bin : {100.0, 100.1, 100.3, 100.5, 99.6}) {
        std::vector<double> values(8);
        for (std::size_t i = 0; i < values.size(); ++i) {
          Complex sum = 0;
          for (std::size_t j = 0; j < span; ++j)
            sum += window_value(window, j, span) *
                   std::polar(0.25, 2 * std::numbers::pi * static_cast<double>(j) *
                                        (bin - 96 - static_cast<double>(i)) / n);
          values[i] = std::abs(sum) / window_sum(window, span);
        }
        CAPTURE(window, span, bin);
        const Peak peak = peaks(values, 1, 8, lobe).at(0);
        const double near =
            window == Window::flat_top ? 0.5 : 1e-3;  // three levels are equal there
        CHECK(96 + peak.bin == Approx(bin).margin(near));
        CHECK(decibels(peak.amplitude) == Approx(decibels(0.25)).margin(1e-3));
      }
    }
  }
}

TEST_CASE("three equal amplitudes are no sinusoid between two bins") {
  CHECK(top_of(1, 1, 1, {}).shift == Approx(0).margin(1e-6));
  CHECK(top_of(1, 1, 1, {}).factor == Approx(1));
  CHECK(top_of(0, 0, 0, {}).factor == 1);
  CHECK(top_of(std::nan(""), 1, 0, {}).factor == 1);
}

TEST_CASE("bands have the bins between two frequencies") {
  const FrequencyScale all{{16, false}, 1600, 1000};  // bins of 100 Hz from 200 to 1700
  const auto band = bins_between(all, 450, 800);
  REQUIRE(band);
  const FrequencyScale scale{*band, 1600, 1000};
  CHECK(band->count() == 4);
  CHECK(scale.at(0) == 500);
  CHECK(scale.at(3) == 800);
  CHECK(band->at(0) == all.bins.at(3));
  CHECK(bins_between(all, {}, 300)->count() == 2);
  CHECK(bins_between(all, 1600, 1e9)->count() == 2);
  CHECK(bins_between(all, {}, {})->count() == 16);
  CHECK(!bins_between(all, 450, 550));  // one bin
  CHECK(!bins_between(all, 2000, 3000));
  CHECK(!bins_between(all, 800, 400));
  const FrequencyScale real{{16, true}, 1600, 0};
  CHECK(bins_between(real, 100, {})->count() == 8);
  CHECK(bins_between(real, 100, {})->at(0) == 1);
}

}  // namespace
}  // namespace imago::command
