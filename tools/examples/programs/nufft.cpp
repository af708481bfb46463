// This file is a program of docs/nufft.md: the spectrum of a star's brightness,
// which was measured at irregular times.

// Shown in docs/nufft.md:
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <vector>

#include <imago/imago.hpp>

namespace {

constexpr std::size_t kTimes = 20000, kModes = 4096;
constexpr double kSlow = 1000, kFast = 1003;  // oscillations in the period

/// Returns exp(2 pi i frequency time), with the time as a fraction of 2^32.
std::complex<double> wave(double frequency, std::uint32_t time) {
  const double turns = frequency * std::ldexp(time, -32);
  return std::polar(1.0, 2 * std::numbers::pi * (turns - std::floor(turns)));
}

}  // namespace

int main() {
  std::mt19937 random(1);
  std::vector<std::uint32_t> times;
  std::vector<std::complex<float>> brightness;
  for (std::size_t j = 0; j < kTimes; ++j) {
    times.push_back(static_cast<std::uint32_t>(random()));
    const auto both = wave(kSlow, times[j]) + 0.5 * wave(kFast, times[j]);
    brightness.emplace_back(static_cast<float>(both.real()), 0.0F);
  }

  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  imago::NufftPlan plan(context, device,
                        {.modes = {kModes},
                         .tolerance = 1e-5,
                         .sign = -1,
                         .coordinates = imago::Coordinates::fractions_i32,
                         .centred = false,
                         .types = imago::NufftTypes::type1});
  const auto sent = [&](auto& values) {
    return cl::Buffer(context, values.begin(), values.end(), true);
  };
  const cl::Buffer points = sent(times), strengths = sent(brightness);
  const cl::Buffer modes(context, CL_MEM_READ_WRITE, kModes * 8);
  plan.set_points(queue, {.coordinates = {points}, .count = kTimes});
  plan.type1(queue, strengths, modes);  // enqueues and returns
  std::vector<std::complex<float>> spectrum(kModes);
  queue.enqueueReadBuffer(modes, CL_TRUE, 0, kModes * 8, spectrum.data());

  // Modes 0 to n/2 - 1 have the positive frequencies.
  const auto peak = std::max_element(
      spectrum.begin(), spectrum.begin() + kModes / 2,
      [](auto a, auto b) { return std::norm(a) < std::norm(b); });
  const auto frequency = static_cast<double>(peak - spectrum.begin());
  std::complex<double> sum = 0;
  double squares = 0;
  for (std::size_t j = 0; j < kTimes; ++j) {
    sum += std::complex<double>(brightness[j]) * wave(-frequency, times[j]);
    squares += std::norm(brightness[j]);
  }
  const auto error = std::abs(std::complex<double>(*peak) - sum);
  const bool close = error < 1e-4 * std::sqrt(squares);
  std::printf("%zu times: the strongest of %zu modes is %g, amplitude %.2f%s\n",
              kTimes, kModes / 2, frequency, 2 * std::abs(sum) / kTimes,
              close ? ", as the sum gives" : ", but the sum differs");
  return frequency == kSlow && close ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
