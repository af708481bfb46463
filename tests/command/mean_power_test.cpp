// This file tests the mean of powers, and the frequencies that `imago spectrum` finds in it.
#include "mean_power.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "analysis.hpp"
#include "support/catch.hpp"

namespace imago::command {
namespace {

using test::Approx;

TEST_CASE("the mean of powers leaves out frames that are not finite") {
  MeanPower mean(3);
  mean.add(std::vector<float>{1, 4, 0});
  mean.add(std::vector<float>{3, 12, 0});
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()})
    mean.add(std::vector<float>{9, bad, 9});
  CHECK(mean.lost() == 2);
  CHECK(mean.amplitudes() == std::vector<double>{std::sqrt(2.0), std::sqrt(8.0), 0});
  CHECK(std::isnan(MeanPower(1).amplitudes().at(0)));
}

TEST_CASE("many small powers are added to a large one exactly") {
  MeanPower mean(1);
  constexpr int kFrames = 100000;
  mean.add(std::vector<float>{1e8f});
  for (int i = 1; i < kFrames; ++i) mean.add(std::vector<float>{1});
  CHECK(mean.amplitudes().at(0) == Approx(std::sqrt((1e8 + kFrames - 1) / kFrames)).epsilon(1e-12));
}

TEST_CASE("powers of any size are averaged, whatever their units") {
  // Amplitudes of 3e-200, 4e-200 and silence: their squares are no doubles.
  const int tiny = exponent_of(4e-200);
  const auto power = [](double amplitude, int exponent) {
    const double part = std::ldexp(amplitude, -exponent);
    return std::vector<float>{static_cast<float>(part * part)};
  };
  MeanPower mean(1);
  mean.add(std::vector<float>{0}, exponent_of(0));
  mean.add(power(3e-200, tiny - 1), tiny - 1);
  mean.add(power(4e-200, tiny), tiny);
  mean.add(power(0, 0), exponent_of(0));
  CHECK(mean.amplitudes().at(0) == Approx(2.5e-200).epsilon(1e-6));
  mean.add(power(1e200, exponent_of(1e200)), exponent_of(1e200));
  CHECK(mean.amplitudes().at(0) == Approx(1e200 / std::sqrt(5)).epsilon(1e-6));
  MeanPower silence(1);
  silence.add(std::vector<float>{0}, exponent_of(0));
  CHECK(silence.amplitudes().at(0) == 0);
}

TEST_CASE("the mean of a tone's power, in noise, has its frequency and its level") {
  // Responses of the window to a tone of amplitude 1/2 at bin 20.3, in powers, plus a floor.
  constexpr std::size_t kPoints = 64, kFrames = 50;
  for (const Window window : {Window::hann, Window::blackman, Window::flat_top}) {
    MeanPower mean(kPoints / 2);
    for (std::size_t frame = 0; frame < kFrames; ++frame) {
      std::vector<float> powers(kPoints / 2);
      for (std::size_t bin = 0; bin < powers.size(); ++bin) {
        std::complex<double> sum = 0;
        for (std::size_t i = 0; i < kPoints; ++i)
          sum += window_value(window, i, kPoints) *
                 std::polar(0.5, 2 * std::numbers::pi * (20.3 - static_cast<double>(bin)) *
                                     static_cast<double>(i) / kPoints);
        const double noise = 1e-6 * (1 + static_cast<double>((7 * frame + 3 * bin) % 5));
        powers[bin] = static_cast<float>(std::norm(sum / window_sum(window, kPoints)) + noise);
      }
      mean.add(powers);
    }
    const auto found = peaks(mean.amplitudes(), 1, 4, {window, 1});
    REQUIRE(found.size() == 1);
    CHECK(found[0].bin == Approx(20.3).margin(0.01));
    CHECK(found[0].amplitude == Approx(0.5).epsilon(0.01));
  }
}

}  // namespace
}  // namespace imago::command
