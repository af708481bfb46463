// This file computes Kaiser's window and the filters from it.
#include "channel_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace imago::command {
namespace {

/// Returns the modified Bessel function of order 0 by its power series.
double bessel_i0(double x) {
  double sum = 1, term = 1;
  for (double k = 1; term > 1e-18 * sum; ++k) {
    term *= x / (2 * k) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

/// Returns what is left of the turns when whole ones are taken away, from -1/2 to 1/2.
long double fraction_of(double hertz, long double samples, double rate) {
  const long double turns = static_cast<long double>(hertz) * samples / rate;
  return turns - std::round(turns);
}

/// Returns exp(2 pi i turns).
std::complex<double> unit(double turns) { return std::polar(1.0, 2 * std::numbers::pi * turns); }

}  // namespace

// J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", 1974.
double LowPass::beta() const {
  if (attenuation > 50) return 0.1102 * (attenuation - 8.7);
  if (attenuation > 21)
    return 0.5842 * std::pow(attenuation - 21, 0.4) + 0.07886 * (attenuation - 21);
  return 0;
}

std::size_t LowPass::taps() const {
  const double width = (stop - pass) / (rate / 2);
  const double least = (attenuation - 7.95) / 2.285 / (std::numbers::pi * width) + 1;
  return static_cast<std::size_t>(std::ceil(std::max(1.0, least))) | 1;
}

std::vector<double> LowPass::response() const {
  const std::size_t n = taps(), middle = n / 2;
  const double relative = cutoff() / (rate / 2), beta_of = beta();
  std::vector<double> response(n);
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double m = static_cast<double>(j) - static_cast<double>(middle),
                 angle = std::numbers::pi * relative * m,
                 place = middle == 0 ? 0 : m / static_cast<double>(middle);
    response[j] = relative * (m == 0 ? 1 : std::sin(angle) / angle) *
                  bessel_i0(beta_of * std::sqrt(std::max(0.0, 1 - place * place)));
    sum += response[j];
  }
  for (double& tap : response) tap /= sum;
  return response;
}

Rotation::Rotation(double hertz, std::uint64_t samples, double rate)
    : step_(2 * static_cast<std::uint64_t>(static_cast<std::int64_t>(std::round(
                    fraction_of(hertz, static_cast<long double>(samples), rate) * 0x1p63L)))) {}

std::complex<double> Rotation::at(std::uint64_t steps) const {
  return unit(-0x1p-64 * static_cast<double>(static_cast<std::int64_t>(steps * step_)));
}

std::vector<std::complex<double>> shifted(const std::vector<double>& taps, double hertz,
                                          double rate) {
  std::vector<std::complex<double>> result;
  for (std::size_t j = 0; j < taps.size(); ++j) {
    const long double place =
        static_cast<long double>(j) - static_cast<long double>(taps.size() / 2);
    result.push_back(taps[j] * unit(static_cast<double>(fraction_of(hertz, place, rate))));
  }
  return result;
}

}  // namespace imago::command
