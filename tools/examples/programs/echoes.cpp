// This file is a program of docs/programs.md: a filter that is planned once and
// used repeatedly on buffers of the device. It finds the echoes of a pulse in
// noise.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <vector>

// Shown in docs/programs.md:
#include <imago/imago.hpp>

namespace {

using Samples = std::vector<float>;

// Lengths of a recording and of the pulse.
constexpr std::size_t kSamples = 8192, kPulse = 400;
constexpr std::size_t kRecordings = 20;  // per round
constexpr std::size_t kRounds = 4;

/// Returns the start of the echo.
std::size_t delay(std::size_t recording) {
  return recording * 613 % (kSamples - kPulse + 1);
}
// Until here.

/// Returns a pulse of rising frequency, which correlates with itself at one
/// position only.
Samples pulse() {
  Samples samples(kPulse);
  for (std::size_t j = 0; j < kPulse; ++j) {
    const double t = static_cast<double>(j) / kPulse;
    samples[j] =
        static_cast<float>(std::sin(2 * std::numbers::pi * t * (20 + 60 * t)));
  }
  return samples;
}

/// Returns the recordings of one round: noise, each with a weaker echo.
Samples recorded(std::size_t first) {
  std::mt19937 random(static_cast<unsigned>(first));
  std::normal_distribution<float> noise(0, 1);
  const Samples sent = pulse();
  Samples samples(kRecordings * kSamples);
  for (float& sample : samples) sample = noise(random);
  for (std::size_t i = 0; i < kRecordings; ++i) {
    for (std::size_t j = 0; j < kPulse; ++j)
      samples[i * kSamples + delay(first + i) + j] += sent[j];
  }
  return samples;
}

/// Returns the sum that a filter computes, in double precision.
double match_at(const float* recording, std::size_t begin) {
  const Samples sent = pulse();
  double sum = 0;
  for (std::size_t j = 0; j < kPulse; ++j)
    sum += static_cast<double>(sent[j]) * recording[begin + j];
  return sum;
}

/// Returns the number of a round's echoes that have the right position and
/// strength.
std::size_t found_in(const Samples& samples, const Samples& matches,
                     std::size_t first) {
  const std::size_t places = matches.size() / kRecordings;
  std::size_t found = 0;
  for (std::size_t i = 0; i < kRecordings; ++i) {
    const float* const begin = &matches[i * places];
    const float* const best = std::max_element(begin, begin + places);
    const auto place = static_cast<std::size_t>(best - begin);
    const double expected = match_at(&samples[i * kSamples], place);
    found += place == delay(first + i) &&
                     std::abs(*best - expected) < 1e-4 * expected
                 ? 1
                 : 0;
  }
  return found;
}

// Shown in docs/programs.md:

}  // namespace

int main() {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  // Compares each recording with the pulse, at all positions where the pulse
  // lies entirely inside it.
  const imago::Convolution filter(context, device,
                                  {.signal = {kSamples},
                                   .kernel = {kPulse},
                                   .extent = imago::Extent::valid,
                                   .correlate = true,
                                   .batch = kRecordings});
  const cl::Buffer sent(context, CL_MEM_READ_ONLY, filter.kernel_bytes());
  const cl::Buffer spectrum(context, CL_MEM_READ_WRITE,
                            filter.spectrum_bytes());
  const cl::Buffer recordings(context, CL_MEM_READ_WRITE,
                              filter.signal_bytes());
  const cl::Buffer matches(context, CL_MEM_READ_WRITE, filter.result_bytes());
  queue.enqueueWriteBuffer(sent, CL_TRUE, 0, filter.kernel_bytes(),
                           pulse().data());
  filter.prepare(queue, sent, spectrum);  // once

  std::size_t found = 0;
  Samples results(filter.result_bytes() / sizeof(float));
  for (std::size_t round = 0; round < kRounds; ++round) {
    // A kernel of yours can write the samples instead.
    const Samples samples = recorded(round * kRecordings);
    queue.enqueueWriteBuffer(recordings, CL_TRUE, 0, filter.signal_bytes(),
                             samples.data());
    filter.apply(queue, recordings, spectrum, matches);  // enqueues and returns
    queue.enqueueReadBuffer(matches, CL_TRUE, 0, filter.result_bytes(),
                            results.data());
    found += found_in(samples, results, round * kRecordings);
  }
  std::printf("%zu places in each of %zu recordings, %zu echoes found\n",
              filter.result()[0], kRounds * kRecordings, found);
  return found == kRounds * kRecordings ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
