// This program removes a hum from a sound: it sets one bin of all short-time
// spectra to zero, and adds the frames up again.

// Shown in docs/short-time.md:
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

#include <imago/imago.hpp>

namespace {

constexpr std::size_t kSamples = 1 << 18, kFrame = 1024, kHop = 256;
constexpr double kRate = 48000, kHum = 16 * kRate / kFrame;  // 750 Hz

std::vector<std::complex<double>> hann_window() {
  std::vector<std::complex<double>> window;
  for (std::size_t j = 0; j < kFrame; ++j) {
    const double turns = static_cast<double>(j) / kFrame;
    window.emplace_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * turns));
  }
  return window;
}

/// A sinusoid of this frequency in Hz.
std::vector<float> tone(double frequency) {
  std::vector<float> samples;
  for (std::size_t j = 0; j < kSamples; ++j) {
    const double turns = frequency * static_cast<double>(j) / kRate;
    samples.push_back(
        static_cast<float>(std::sin(2 * std::numbers::pi * turns)));
  }
  return samples;
}

}  // namespace

int main() {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  // The Hann window spreads a sinusoid over three bins.
  imago::ShortTimeTransform sound{
      .lengths = {kSamples}, .window = hann_window(), .hop = kHop};
  sound.on_inverse.load = {imago::hook::window(1, "gains")};
  const imago::ShortTimePlan plan(context, device, sound);
  std::vector<float> gains(plan.bins(), 1.f);
  for (const std::size_t bin : {15, 16, 17}) gains[bin] = 0;

  const auto wanted = tone(440), hum = tone(kHum);
  std::vector<float> samples(kSamples);
  for (std::size_t j = 0; j < kSamples; ++j) samples[j] = wanted[j] + hum[j];
  const cl::Buffer signal(context, CL_MEM_COPY_HOST_PTR, plan.signal_bytes(),
                          samples.data());
  const cl::Buffer spectra(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
  const cl::Buffer by(context, CL_MEM_COPY_HOST_PTR,
                      gains.size() * sizeof(float), gains.data());
  plan.forward(queue, signal, spectra);
  plan.inverse(queue, spectra, signal, {.arguments = {{"gains", by}}});
  queue.enqueueReadBuffer(signal, CL_TRUE, 0, plan.signal_bytes(),
                          samples.data());

  double left = 0;  // hum in the middle of the sound
  for (std::size_t j = kSamples / 4; j < kSamples / 2; ++j)
    left = std::max<double>(left, std::abs(samples[j] - wanted[j]));
  std::printf("%zu frames of %zu samples, %s\n", plan.frames(), kFrame,
              left < 0.01 ? "and the hum is gone" : "and the hum is there");
  return left < 0.01 ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
