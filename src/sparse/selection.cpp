// This file selects the coefficients of a dense spectrum to list.
#include "sparse/selection.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/precision.hpp"

namespace imago::sparse {
namespace {

constexpr std::size_t kNotFinite = 255 * 8;  // first of the bins of infinities and NaNs
// Magnitudes of complex white noise are Rayleigh distributed. The root mean square is 1.2 times the
// median, and a fraction of e^-36 exceeds six times the root mean square.
constexpr double kMedianToRms = 1.2011, kNoiseFactor = 6;
// Noise of the arithmetic relative to the largest coefficient; the bound in docs/architecture.md is
// smaller.
constexpr double kRoundingF32 = 1e-6, kRoundingF64 = 1e-14;
// Seconds for one coefficient on one core: 4 million took 63 ms on two cores (Xeon, PoCL 3.1),
// mostly for the histogram's atomics.
constexpr double kCpuCoefficient = 30e-9;
constexpr double kGpuLaunch = 5e-6, kGpuBytes = 5e11;
constexpr std::size_t kLeastTop = (127 - 60) * 8;  // 2^-60; the rounding of f64 is then 2^-107
constexpr double kGrains = 4;    // errors of coefficients are below this times sqrt(n) grains
constexpr double kExcess = 1.5;  // energy of the remainder, relative to noise with its median

double lower_edge(std::size_t bin) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bin) << 20);
}

}  // namespace

Selection select(std::span<const std::uint32_t> bins, Precision precision, std::uint64_t capacity,
                 Floor floor, const Scaling& scaling) {
  Selection selection;
  selection.floor = floor;
  selection.gain = scaling.gain, selection.grain = scaling.grain;
  selection.finite = std::all_of(bins.begin() + kNotFinite, bins.end(),
                                 [](std::uint32_t count) { return count == 0; });
  const auto finite = bins.first(kNotFinite);
  const std::uint64_t total = std::accumulate(finite.begin(), finite.end(), std::uint64_t{0});
  std::size_t top = 0, middle = 0;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < finite.size(); ++i) {
    if (finite[i] != 0) top = i;
    if (2 * sum < total) middle = i;
    sum += finite[i];
  }
  if (top > 0)
    selection.scale = std::min<double>(lower_edge(top + 1), std::numeric_limits<float>::max());
  selection.median = middle == 0 ? 0 : lower_edge(middle + 1);
  const double rounding = precision == Precision::f64 ? kRoundingF64 : kRoundingF32;
  if (top > 0) selection.rounding = std::max(rounding * selection.scale, scaling.least_error);
  selection.threshold = selection.rounding;
  if (floor == Floor::noise)
    selection.threshold =
        std::max(selection.threshold, kNoiseFactor * kMedianToRms * selection.median);
  std::size_t lowest = finite.size();
  while (lowest > 1 && lower_edge(lowest) > selection.threshold &&
         selection.above + finite[lowest - 1] <= capacity)
    selection.above += finite[--lowest];
  selection.threshold = std::max(selection.threshold, lower_edge(lowest));
  return selection;
}

double residual(const Listed& listed, const Selection& selection, const Request& request) {
  double energy = 0;
  for (const auto& coefficient : listed.coefficients) {
    const std::uint64_t f = coefficient.frequency;
    const bool single = !request.real || f == 0 || 2 * f == request.length;
    energy +=
        (single ? 1 : 2) * std::norm(coefficient.amplitude * selection.gain / selection.scale);
  }
  if (listed.rest + energy == 0) return 0;
  // Parseval's identity: the errors of all stages, of one grain each, amount to those of two
  // stages.
  const double grains = selection.grain * static_cast<double>(request.length) / selection.scale;
  const double rest = listed.rest + 2 * grains * grains;
  return std::sqrt(rest / (rest + energy));
}

bool fits_floats(std::span<const std::uint32_t> bins) {
  const auto in = [](std::span<const std::uint32_t> some) {
    return std::any_of(some.begin(), some.end(), [](std::uint32_t count) { return count != 0; });
  };
  if (in(bins.subspan(kNotFinite))) return false;
  return in(bins.subspan(kLeastTop)) || !in(bins.subspan(1));
}

double gain_of(std::span<const std::uint32_t> exponents, Precision precision) {
  const int bias = precision == Precision::f64 ? 1023 : 127;
  int top = 0;
  for (int i = 0; i <= 2 * bias + 1; ++i) {
    if (exponents[static_cast<std::size_t>(i)] != 0) top = i;
  }
  if (top == 2 * bias + 1) return 1;
  return std::ldexp(1.0, std::clamp(bias - top, 1 - bias, bias - 1));
}

Scaling scaling_of(double gain, double smallest, std::uint64_t length) {
  const double grain = gain * smallest;
  return {gain, grain, kGrains * std::sqrt(static_cast<double>(length)) * grain};
}

double selection_seconds(const Request& request, const device::Facts& facts) {
  const auto count = static_cast<double>(request.listed());
  if (facts.type == device::Type::cpu)
    return count * kCpuCoefficient / std::max(1u, facts.compute_units);
  const double bytes = facts.rates.copy_bytes > 0 ? facts.rates.copy_bytes : kGpuBytes;
  const double size = 2.0 * static_cast<double>(base::bytes_of(request.precision));
  return 4 * kGpuLaunch + 2 * count * size / bytes;  // two kernels, which both read the spectrum
}

bool stands_out(const Listed& listed, const Selection& selection, const Request& request) {
  const double rms = kMedianToRms * selection.median / selection.scale;
  const bool noise_like = listed.rest <= kExcess * rms * rms * static_cast<double>(request.length);
  return noise_like && selection.floor == Floor::noise && !listed.coefficients.empty();
}

Verdict dense_verdict(const Selection& selection, double residual, const Listed& listed,
                      const Request& request) {
  if (!selection.finite) return Verdict::unverified;
  if (residual <= request.tolerance) return Verdict::verified;
  return stands_out(listed, selection, request) ? Verdict::noise_floor : Verdict::unverified;
}

}  // namespace imago::sparse
