// This file computes short-time Fourier transforms of recordings.
#include "stft.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace imago::command {
namespace {

/// Returns the hooks that convert the samples to a full scale of 1, times the window.
std::vector<Hook> load_hooks(const StftRequest& request) {
  std::vector<Hook> hooks;
  if (request.integer_scale)
    hooks.push_back(imago::hook::from_integer(Integer::i16, *request.integer_scale));
  hooks.push_back(imago::hook::window(0, "window"));
  return hooks;
}

/// Returns the hooks that convert bins to levels, in ascending order of frequencies.
std::vector<Hook> store_hooks(const StftRequest& request) {
  std::vector<Hook> hooks{imago::hook::window(0, "gains")};
  if (request.complex) hooks.push_back(imago::hook::shift({0}));
  hooks.push_back(request.decibels ? imago::hook::decibels(kPowerFloor) : imago::hook::power());
  return hooks;
}

}  // namespace

Transform stft_transform(const StftRequest& request) {
  const std::size_t channels = request.channels;
  // Frames overlap in the input; their distance is the hop.
  return {.kind = request.complex ? Kind::complex : Kind::real,
          .lengths = {request.framing.length},
          .batch = request.frames,
          .directions = Directions::forward,
          .signal = {.strides = {channels}, .distance = request.framing.hop * channels},
          .on_forward = {.load = load_hooks(request), .store = store_hooks(request)}};
}

Stft::Stft(const Session& session, const StftRequest& request, const Options& options)
    : session_(session),
      request_(request),
      plan_(session.context, session.device, stft_transform(request), options) {
  const std::size_t n = request_.framing.length;
  std::vector<float> window(n);  // zeros after the span
  for (std::size_t i = 0; i < request_.span; ++i)
    window[i] = static_cast<float>(window_value(request_.window, i, request_.span));
  window_ = upload(window);
  // A sinusoid of a real signal appears in two bins, of which one is here; frequency 0 and half the
  // rate appear in one.
  const double sum = window_sum(request_.window, request_.span);
  std::vector<float> gains(bins(), static_cast<float>((request_.complex ? 1 : 2) / sum));
  if (!request_.complex) {
    gains.front() /= 2;
    if (n % 2 == 0) gains.back() /= 2;
  }
  gains_ = upload(gains);

  const std::size_t count = ((frames() - 1) * request_.framing.hop + n) * numbers();
  request_.integer_scale ? shorts_.resize(count) : numbers_.resize(count);
  levels_.resize(frames() * bins());
  samples_ = make_buffer(session_, count * (request_.integer_scale ? 2 : 4));
  spectra_ = make_buffer(session_, plan_.spectrum_bytes());
}

cl::Buffer Stft::upload(const std::vector<float>& numbers) const {
  cl::Buffer buffer = make_buffer(session_, numbers.size() * sizeof(float));
  command::upload(session_, buffer, numbers.data(), numbers.size() * sizeof(float));
  return buffer;
}

void Stft::load(formats::Recording& recording, std::uint64_t first, std::uint64_t moments) {
  const auto fill = [&](auto& samples) {
    recording.read(first, moments, samples.data());
    const auto read = static_cast<std::ptrdiff_t>(moments * numbers());
    std::fill(samples.begin() + read, samples.end(), 0);
    command::upload(session_, samples_, samples.data(), samples.size() * sizeof samples[0]);
  };
  request_.integer_scale ? fill(shorts_) : fill(numbers_);
}

std::size_t Stft::not_finite(std::size_t channel, std::size_t moments) const {
  if (request_.integer_scale) return 0;
  const std::size_t parts = request_.complex ? 2 : 1;
  std::size_t count = 0;
  for (std::size_t i = 0; i < moments; ++i) {
    const float* const sample = numbers_.data() + parts * (i * request_.channels + channel);
    count += !std::all_of(sample, sample + parts, [](float x) { return std::isfinite(x); });
  }
  return count;
}

double Stft::call(std::size_t channel) const {
  const auto start = std::chrono::steady_clock::now();
  plan_.forward(session_.queue, {samples_, channel}, spectra_,
                {.arguments = {{"window", window_}, {"gains", gains_}}});
  finish(session_);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

const std::vector<float>& Stft::run(std::size_t channel) {
  if (first_seconds_ == 0) first_seconds_ = call(channel);
  seconds_ += call(channel);
  download(session_, spectra_, levels_.data(), levels_.size() * sizeof(float));
  return levels_;
}

}  // namespace imago::command
