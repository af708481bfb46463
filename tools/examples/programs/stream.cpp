// This file is a program of docs/streams.md: it takes sound in blocks, as a
// sound card gives it, and removes a whistle of 6 kHz.

// Shown in docs/streams.md:
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

#include <imago/imago.hpp>

namespace {

constexpr double kRate = 48000, kCut = 2000, kTone = 440, kWhistle = 6000;
constexpr std::size_t kTaps = 255, kBlock = 512, kBlocks = 200;

/// A low-pass filter: the sinc function times a Hann window.
std::vector<std::complex<double>> low_pass() {
  constexpr double kPi = std::numbers::pi;
  std::vector<std::complex<double>> taps;
  for (std::size_t j = 0; j < kTaps; ++j) {
    const double t = static_cast<double>(j) - (kTaps - 1) / 2.0;
    const double turns = 2 * kPi * kCut / kRate * t;
    const double sinc = t == 0 ? 1 : std::sin(turns) / turns;
    const double window = 0.5 + 0.5 * std::cos(2 * kPi * t / (kTaps + 1));
    taps.emplace_back(2 * kCut / kRate * sinc * window);
  }
  return taps;
}

float tone(double frequency, double sample) {
  const double turns = frequency * sample / kRate;
  return static_cast<float>(std::sin(2 * std::numbers::pi * turns));
}

}  // namespace

int main() {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  imago::Stream filter(
      queue, imago::FirFilter{.lengths = {kBlock}, .taps = low_pass()});
  const cl::Buffer samples(context, CL_MEM_READ_ONLY,
                           filter.input_bytes(kBlock));
  const cl::Buffer results(context, CL_MEM_WRITE_ONLY,
                           filter.result_bytes(filter.most_results()));
  std::vector<float> sound(kBlock), filtered(filter.most_results());
  std::size_t done = 0;
  double worst = 0;
  for (std::size_t block = 0; block < kBlocks; ++block) {
    for (std::size_t j = 0; j < kBlock; ++j) {
      const auto sample = static_cast<double>(block * kBlock + j);
      sound[j] = tone(kTone, sample) + tone(kWhistle, sample);
    }
    queue.enqueueWriteBuffer(samples, CL_TRUE, 0, filter.input_bytes(kBlock),
                             sound.data());
    const std::size_t count = filter.push(samples, kBlock, results);
    if (count == 0) continue;
    queue.enqueueReadBuffer(results, CL_TRUE, 0, filter.result_bytes(count),
                            filtered.data());
    for (std::size_t j = 0; j < count; ++j, ++done) {
      // The filter delays its input by half of its length.
      const double before = static_cast<double>(done) - (kTaps - 1) / 2.0;
      if (done >= kTaps)
        worst = std::max<double>(worst,
                                 std::abs(filtered[j] - tone(kTone, before)));
    }
  }
  std::printf("%zu of %zu samples are filtered, %zu wait for more, %s\n", done,
              kBlocks * kBlock, kBlocks * kBlock - done,
              worst < 0.01 ? "and the whistle is gone" : "with the whistle");
  return worst < 0.01 ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
