// This file computes short-time Fourier transforms of recordings.
#include "stft.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace imago::command {
namespace {

/// A floor below all powers in f32, so that only silence has its level.
constexpr double kPowerFloor = std::numeric_limits<double>::min();
constexpr float kSilence = -3000;  // decibels, a little more than those of the floor

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
          .precision = request.precision,
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
  std::vector<double> window(n);  // zeros after the span
  for (std::size_t i = 0; i < request_.span; ++i)
    window[i] = window_value(request_.window, i, request_.span);
  // A sinusoid of a real signal appears in two bins, of which one is here; frequency 0 and half the
  // rate appear in one.
  std::vector<double> gains(
      bins(), (request_.complex ? 1 : 2) / window_sum(request_.window, request_.span));
  if (!request_.complex) {
    gains.front() /= 2;
    if (n % 2 == 0) gains.back() /= 2;
  }
  const bool wide = request_.precision == Precision::f64;
  window_ = wide ? upload<double>(window) : upload<float>(window);
  gains_ = wide ? upload<double>(gains) : upload<float>(gains);

  const std::size_t count = ((frames() - 1) * request_.framing.hop + n) * numbers();
  request_.integer_scale ? shorts_.resize(count) : numbers_.resize(count);
  levels_.resize(frames() * bins());
  samples_ = make_buffer(session_, count * (request_.integer_scale ? 2 : wide ? 8 : 4));
  spectra_ = make_buffer(session_, plan_.spectrum_bytes());
}

template <class Real>
cl::Buffer Stft::upload(const std::vector<double>& numbers) const {
  const std::vector<Real> converted(numbers.begin(), numbers.end());
  cl::Buffer buffer = make_buffer(session_, converted.size() * sizeof(Real));
  command::upload(session_, buffer, converted.data(), converted.size() * sizeof(Real));
  return buffer;
}

void Stft::load(formats::Recording& recording, std::uint64_t first, std::uint64_t moments) {
  const auto fill = [&](auto& samples) {
    recording.read(first, moments, samples.data());
    const auto read = static_cast<std::ptrdiff_t>(moments * numbers());
    std::fill(samples.begin() + read, samples.end(), 0);
  };
  request_.integer_scale ? fill(shorts_) : fill(numbers_);
}

template <class Use>
void Stft::for_numbers(std::size_t channel, std::size_t moments, const Use& use) const {
  const std::size_t parts = request_.complex ? 2 : 1;
  for (std::size_t i = 0; i < moments; ++i)
    for (std::size_t part = 0; part < parts; ++part)
      use(parts * (i * request_.channels + channel) + part);
}

std::size_t Stft::not_finite(std::size_t channel, std::size_t moments) const {
  if (request_.integer_scale) return 0;
  std::size_t count = 0, last = moments;  // the last sample that was counted
  for_numbers(channel, moments, [&](std::size_t i) {
    if (std::isfinite(numbers_[i]) || i / numbers() == last) return;
    last = i / numbers();
    ++count;
  });
  return count;
}

template <class Real>
void Stft::upload_scaled(std::size_t channel) {
  const std::size_t moments = numbers_.size() / numbers();
  double largest = 0;
  for_numbers(channel, moments, [&](std::size_t i) {
    const double size = std::abs(numbers_[i]);
    if (size > largest && std::isfinite(size)) largest = size;
  });
  exponent_ = exponent_of(largest);
  const double unit = std::ldexp(1, -exponent_);
  std::vector<Real> scaled(numbers_.size());  // other channels stay 0
  for_numbers(channel, moments,
              [&](std::size_t i) { scaled[i] = static_cast<Real>(unit * numbers_[i]); });
  command::upload(session_, samples_, scaled.data(), scaled.size() * sizeof(Real));
}

void Stft::upload_samples(std::size_t channel) {
  if (request_.integer_scale)
    command::upload(session_, samples_, shorts_.data(), shorts_.size() * sizeof(std::int16_t));
  else
    request_.precision == Precision::f64 ? upload_scaled<double>(channel)
                                         : upload_scaled<float>(channel);
}

double Stft::call(std::size_t channel) const {
  const Stopwatch watch;
  plan_.forward(session_.queue, {samples_, channel}, spectra_,
                {.arguments = {{"window", window_}, {"gains", gains_}}});
  finish(session_);
  return watch.seconds();
}

void Stft::compile(std::size_t channel) {
  if (first_seconds_ != 0) return;
  upload_samples(channel);
  first_seconds_ = call(channel);
}

template <class Real>
void Stft::download_levels() {
  std::vector<Real> levels(levels_.size());
  download(session_, spectra_, levels.data(), levels.size() * sizeof(Real));
  const Real shift = static_cast<Real>(exponent_ * decibels(2));
  std::transform(levels.begin(), levels.end(), levels_.begin(), [&](Real level) {
    if (!request_.decibels) return static_cast<float>(level);
    return level < kSilence ? -std::numeric_limits<float>::infinity()
                            : static_cast<float>(level + shift);
  });
}

const std::vector<float>& Stft::run(std::size_t channel) {
  compile(channel);
  upload_samples(channel);
  seconds_ += call(channel);
  request_.precision == Precision::f64 ? download_levels<double>() : download_levels<float>();
  return levels_;
}

}  // namespace imago::command
