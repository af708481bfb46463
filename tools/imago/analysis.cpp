// This file implements the computations before and after a transform of a signal.
#include "analysis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/integers.hpp"
#include "plan/planner.hpp"

namespace imago::command {

std::size_t Framing::count(std::size_t samples) const {
  return samples <= length ? 1 : 1 + base::ceil_divide(samples - length, hop);
}

std::size_t longest_frame(std::size_t samples) {
  return std::max(std::size_t{1} << 20, 64 * samples);
}

namespace {

/// Returns the factors of 1, -cos, cos of twice the angle and so on.
std::span<const double> cosines_of(Window window) {
  static constexpr std::array<std::array<double, 5>, 6> kFactors{
      // in the order of the windows
      {{1},
       {0.5, 0.5},
       {0.54, 0.46},
       {0.42, 0.5, 0.08},
       {0.35875, 0.48829, 0.14128, 0.01168},
       {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368}}};
  const auto& factors = kFactors.at(static_cast<std::size_t>(window));
  return {factors.begin(), std::find(factors.begin(), factors.end(), 0.0)};
}

}  // namespace

double window_value(Window window, std::size_t i, std::size_t n) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
  double value = 0, sign = 1, turns = 0;
  for (const double factor : cosines_of(window)) {
    value += sign * factor * std::cos(turns * angle);
    sign = -sign;
    ++turns;
  }
  return value;
}

double window_sum(Window window, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += window_value(window, i, n);
  return sum;
}

template <class Real>
std::vector<std::complex<Real>> cut(const std::vector<std::complex<Real>>& signal, std::size_t rows,
                                    const Framing& framing, Window window) {
  const std::size_t samples = signal.size() / rows, count = framing.count(samples);
  const std::size_t span = std::min(samples, framing.length);
  std::vector<Real> weights(span);
  for (std::size_t i = 0; i < span; ++i)
    weights[i] = static_cast<Real>(window_value(window, i, span));
  std::vector<std::complex<Real>> frames(rows * count * framing.length);
  auto to = frames.begin();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t frame = 0; frame < count;
         ++frame, to += static_cast<std::ptrdiff_t>(framing.length)) {
      const std::size_t start = frame * framing.hop;
      const auto from = signal.begin() + static_cast<std::ptrdiff_t>(row * samples + start);
      const auto size = static_cast<std::ptrdiff_t>(std::min(span, samples - start));
      std::transform(from, from + size, weights.begin(), to, std::multiplies<>());
    }
  }
  return frames;
}
template std::vector<std::complex<float>> cut(const std::vector<std::complex<float>>&, std::size_t,
                                              const Framing&, Window);
template std::vector<std::complex<double>> cut(const std::vector<std::complex<double>>&,
                                               std::size_t, const Framing&, Window);

std::optional<Bins> bins_between(const FrequencyScale& all, const std::optional<double>& low,
                                 const std::optional<double>& high) {
  Bins bins = all.bins;
  if (!low && !high) return bins;
  constexpr double kSlack = 1e-6;  // part of a bin
  const auto last = static_cast<double>(bins.count() - 1);
  const auto place = [&](double frequency) { return (frequency - all.at(0)) / all.step(); };
  const double begin = low ? std::ceil(place(*low) - kSlack) : 0,
               end = high ? std::floor(place(*high) + kSlack) : last;
  if (!(std::max(begin, 0.0) + 1 <= std::min(end, last))) return {};
  bins.begin = static_cast<std::size_t>(std::max(begin, 0.0));
  bins.end = static_cast<std::size_t>(std::min(end, last)) + 1;
  return bins;
}

template <class Real>
std::vector<double> amplitudes(std::span<const std::complex<Real>> spectrum, const Bins& bins,
                               double gain) {
  std::vector<double> values(bins.count());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t at = bins.at(i);
    const bool twice = bins.real && at != 0 && 2 * at != bins.length;
    values[i] = (twice ? 2 : 1) * std::abs(std::complex<double>(spectrum[at])) / gain;
  }
  return values;
}
template std::vector<double> amplitudes(std::span<const std::complex<float>>, const Bins&, double);
template std::vector<double> amplitudes(std::span<const std::complex<double>>, const Bins&, double);

double decibels(double amplitude) { return 20 * std::log10(amplitude); }

int exponent_of(double value) {
  constexpr int kMost = 1000;  // 2^kMost and 2^-kMost are doubles
  int exponent = -kMost;       // less than all others, for silence
  if (value > 0) std::frexp(value, &exponent);
  return std::clamp(exponent, -kMost, kMost);
}

namespace {

double sinc(double x) {
  const double angle = std::numbers::pi * x;
  return std::abs(angle) < 1e-8 ? 1 : std::sin(angle) / angle;
}

/// Returns the response to a sinusoid of amplitude 1 at a distance in bins.
double shown(const Lobe& lobe, double distance) {
  const std::span<const double> cosines = cosines_of(lobe.window);
  const double x = distance / lobe.bins;
  double value = cosines[0] * sinc(x), turns = 0;
  for (const double factor : cosines.subspan(1)) {
    ++turns;
    value += factor / 2 * (sinc(x - turns) + sinc(x + turns));
  }
  return std::abs(value) / cosines[0];
}

}  // namespace

Top top_of(double left, double middle, double right, const Lobe& lobe) {
  if (!(middle > 0) || !std::isfinite(left + middle + right)) return {};
  // The difference of the outer amplitudes grows with the distance from the middle bin.
  const double wanted = std::abs(right - left) / middle;
  double low = 0, high = 0.5;
  for (unsigned step = 0; step < 40; ++step) {
    const double x = (low + high) / 2;
    const double difference = (shown(lobe, 1 - x) - shown(lobe, 1 + x)) / shown(lobe, x);
    (difference < wanted ? low : high) = x;
  }
  return {right < left ? -low : low, 1 / shown(lobe, low)};
}

std::vector<Peak> peaks(std::span<const double> amplitudes, std::size_t most, std::size_t apart,
                        const Lobe& lobe, double least) {
  const auto top = [&](std::size_t i) {
    return amplitudes[i] >= least && amplitudes[i] > amplitudes[i - 1] &&
           amplitudes[i] >= amplitudes[i + 1];
  };
  std::vector<std::size_t> chosen;
  const auto near = [&](std::size_t i) {
    return std::any_of(chosen.begin(), chosen.end(), [&](std::size_t other) {
      return std::max(i, other) - std::min(i, other) < apart;
    });
  };
  while (chosen.size() < most) {  // one scan per peak needs no memory
    std::size_t best = 0;
    for (std::size_t i = 1; i + 1 < amplitudes.size(); ++i)
      if (top(i) && (best == 0 || amplitudes[i] > amplitudes[best]) && !near(i)) best = i;
    if (best == 0) break;
    chosen.push_back(best);
  }
  std::vector<Peak> found;
  for (const std::size_t i : chosen) {
    const Top sinusoid = top_of(amplitudes[i - 1], amplitudes[i], amplitudes[i + 1], lobe);
    found.push_back({static_cast<double>(i) + sinusoid.shift, sinusoid.factor * amplitudes[i]});
  }
  return found;
}

double noise_threshold(std::size_t bins, double frames) {
  // The power of noise in a bin has an exponential distribution. Chernoff's bound: the mean of n
  // powers of mean 1 exceeds t > 1 with a probability of at most (t exp(1 - t))^n.
  constexpr double kSpectra = 100, kLeast = 6;
  const double wanted = std::log(kSpectra * static_cast<double>(bins)) / frames;
  double low = 1, high = 2 + 2 * wanted;
  for (unsigned step = 0; step < 60; ++step) {
    const double t = (low + high) / 2;
    (t - 1 - std::log(t) < wanted ? low : high) = t;
  }
  // E. B. Wilson and M. M. Hilferty, "The distribution of chi-square", PNAS 17, 1931.
  const double median = std::pow(1 - 1 / (9 * frames), 3);
  return std::max(kLeast, 10 * std::log10(high / median));
}

}  // namespace imago::command
