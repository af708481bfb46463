// This file is a program of docs/signal.md: the pitch of 64 strings, each near
// 440 Hz, from 4096 samples of each.

// Shown in docs/signal.md:
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

#include <imago/imago.hpp>

namespace {

constexpr std::size_t kStrings = 64, kSamples = 4096, kPoints = 1024;
constexpr double kRate = 48000, kFrom = 430, kTo = 450;  // Hz

double pitch(std::size_t string) {
  return 436 + 0.125 * static_cast<double>(string);
}

/// Returns the samples of all strings, one after the other.
std::vector<float> recorded() {
  std::vector<float> samples;
  for (std::size_t string = 0; string < kStrings; ++string) {
    for (std::size_t j = 0; j < kSamples; ++j) {
      const double t = static_cast<double>(j) / kRate;
      samples.push_back(static_cast<float>(
          std::sin(2 * std::numbers::pi * pitch(string) * t)));
    }
  }
  return samples;
}

/// Returns the frequency of the largest element, in Hz.
double peak(const std::complex<float>* spectrum) {
  std::size_t largest = 0;
  for (std::size_t k = 0; k < kPoints; ++k) {
    if (std::norm(spectrum[k]) > std::norm(spectrum[largest])) largest = k;
  }
  return kFrom + static_cast<double>(largest) * (kTo - kFrom) / kPoints;
}

}  // namespace

int main() {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  const imago::ZoomPlan zoom(context, device,
                             {.lengths = {kSamples},
                              .batch = kStrings,
                              .points = kPoints,
                              .from = kFrom,
                              .to = kTo,
                              .rate = kRate,
                              .directions = imago::Directions::forward,
                              .signal = {.storage = imago::Storage::real}});
  const cl::Buffer signal(context, CL_MEM_READ_ONLY, zoom.signal_bytes());
  const cl::Buffer spectrum(context, CL_MEM_WRITE_ONLY, zoom.spectrum_bytes());
  queue.enqueueWriteBuffer(signal, CL_TRUE, 0, zoom.signal_bytes(),
                           recorded().data());
  zoom.forward(queue, signal, spectrum);  // enqueues and returns
  std::vector<std::complex<float>> found(kStrings * kPoints);
  queue.enqueueReadBuffer(spectrum, CL_TRUE, 0, zoom.spectrum_bytes(),
                          found.data());

  double worst = 0;
  for (std::size_t string = 0; string < kStrings; ++string) {
    const double error = peak(&found[string * kPoints]) - pitch(string);
    worst = std::max(worst, std::abs(error));
  }
  std::printf("%zu pitches, 1 frequency every %.2f Hz, errors below %.1f Hz\n",
              kStrings, (kTo - kFrom) / kPoints, std::ceil(worst * 10) / 10);
  return worst < 0.5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
