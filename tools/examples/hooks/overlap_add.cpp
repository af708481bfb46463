// This file is the program of docs/hooks/overlap-add.md: a short-time Fourier
// transform and its inverse, which adds overlapping frames without atomic
// operations and without memory for the frames.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <vector>

// Shown in docs/hooks/overlap-add.md:
#include <imago/imago.hpp>

namespace {

namespace hook = imago::hook;

constexpr std::size_t kFrame = 1024, kHop = 256, kBins = kFrame / 2 + 1;
constexpr std::size_t kFrames = 2000;
constexpr std::size_t kSamples = (kFrames - 1) * kHop + kFrame;
// Frames that are this many apart have no sample in common.
constexpr std::size_t kPhases = (kFrame + kHop - 1) / kHop;

/// Every `step`-th frame from number `first` on.
imago::Transform frames(std::size_t first, std::size_t step) {
  return {
      .kind = imago::Kind::real,
      .lengths = {kFrame},
      .batch = (kFrames - first + step - 1) / step,
      .signal = {.strides = {1},
                 .distance = step * kHop,
                 .offset = first * kHop},
      .spectrum = {
          .strides = {1}, .distance = step * kBins, .offset = first * kBins}};
}

std::vector<float> hann_window() {
  std::vector<float> window(kFrame);
  for (std::size_t j = 0; j < kFrame; ++j) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(j) / kFrame;
    window[j] = static_cast<float>(0.5 - 0.5 * std::cos(turn));
  }
  return window;
}

/// The window w divided by the sum of w^2 over all frames that share a sample
/// (Griffin and Lim, 1984, equation 6).
std::vector<float> dual_of(const std::vector<float>& window) {
  std::vector<float> dual(kFrame);
  for (std::size_t j = 0; j < kFrame; ++j) {
    double sum = 0;
    for (std::size_t k = j % kHop; k < kFrame; k += kHop)
      sum += double{window[k]} * double{window[k]};
    dual[j] = static_cast<float>(window[j] / sum);
  }
  return dual;
}

}  // namespace

int main() {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const auto upload = [&](std::vector<float> numbers) {
    return cl::Buffer(context, CL_MEM_COPY_HOST_PTR,
                      numbers.size() * sizeof(float), numbers.data());
  };
  std::mt19937 random(1);
  std::normal_distribution<float> noise;
  std::vector<float> sound(kSamples), back(kSamples);
  for (float& sample : sound) sample = noise(random);
  const auto window = hann_window();
  const cl::Buffer signal = upload(sound), result = upload(back);
  const cl::Buffer by = upload(window), dual = upload(dual_of(window));
  const cl::Buffer spectra(context, CL_MEM_READ_WRITE,
                           kFrames * kBins * sizeof(cl_float2));

  imago::Transform there = frames(0, 1);
  there.directions = imago::Directions::forward;
  there.on_forward.load = {hook::window(0, "w")};
  imago::Plan(context, device, there)
      .forward(queue, signal, spectra, {.arguments = {{"w", by}}});

  // `result` is zero, and each phase adds its frames.
  for (std::size_t phase = 0; phase < kPhases; ++phase) {
    imago::Transform inverse = frames(phase, kPhases);
    inverse.directions = imago::Directions::inverse;
    inverse.on_inverse.store = {hook::window(0, "w"), hook::accumulate()};
    imago::Plan(context, device, inverse)
        .inverse(queue, spectra, result, {.arguments = {{"w", dual}}});
  }
  queue.enqueueReadBuffer(result, CL_TRUE, 0, kSamples * sizeof(float),
                          back.data());
  // At both ends fewer frames overlap.
  float off = 0;
  for (std::size_t j = kFrame; j + kFrame < kSamples; ++j)
    off = std::max(off, std::abs(back[j] - sound[j]));
  std::printf("%zu frames there and back in 1 + %zu launches: %s\n", kFrames,
              kPhases, off < 1e-5f ? "the same sound" : "another sound");
  return off < 1e-5f ? 0 : 1;
}
// Until here.
