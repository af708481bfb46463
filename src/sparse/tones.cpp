// This file decomposes a listed spectrum into tones, the strongest first. Each tone is subtracted
// from the coefficients, and all tones are estimated again without the others.
#include "sparse/tones.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>
#include <utility>

namespace imago::sparse {
namespace {

using Complex = std::complex<double>;

constexpr std::int64_t kLooks = 2;   // bins on either side that decide if one tone explains them
constexpr double kBetter = 0.15;     // fraction of the energy that remains with a tone on a bin
constexpr double kExplained = 0.05;  // fraction of a coefficient that may remain
constexpr int kSweeps = 3;           // each sweep removes the leakage of other tones from a tone's
                                     // own bins
constexpr double kNeighbourhood = 64;  // in bins; tones further away do not disturb each other's
                                       // estimates
constexpr double kNegligible =
    1e-2;  // fraction of a coefficient; a smaller leakage of a far tone is ignored

/// The coefficients, and their remainder after subtraction of tones.
class Remainder {
 public:
  Remainder(const SparseSpectrum& spectrum, const SparseTransform& transform)
      : spectrum_(spectrum),
        n_(static_cast<double>(transform.length)),
        length_(static_cast<std::int64_t>(transform.length)),
        real_(transform.kind == Kind::real),
        floor_(std::isfinite(spectrum.floor) ? spectrum.floor : 0),
        left_(spectrum.values) {
    for (const auto& value : spectrum.values) sizes_.push_back(std::abs(value));
  }

  std::size_t size() const { return left_.size(); }
  double bin(std::size_t index) const { return static_cast<double>(spectrum_.indices[index]); }
  double left(std::size_t index) const { return std::abs(left_[index]); }
  /// True if the subtracted tones explain the coefficient.
  bool explained(std::size_t index) const {
    return left(index) <= floor_ ||
           left(index) <= kExplained * std::abs(spectrum_.values[index] - left_[index]);
  }
  /// Returns the tone that fits the remainder around a coefficient.
  SparseTone estimate(std::size_t index) const;
  /// Subtracts a tone (sign -1) or adds it (sign 1).
  void add(const SparseTone& tone, double sign);
  /// Returns the index of the coefficient that is nearest to a tone; size() if it is not listed.
  std::size_t nearest(const SparseTone& tone) const;
  /// Returns the coefficient of a tone in a bin.
  Complex value(const SparseTone& tone, double bin) const;
  /// Returns an upper bound of a tone's part of a coefficient; ignores the mirror image of a real
  /// tone.
  double bound(const SparseTone& tone, std::size_t index) const;

 private:
  std::size_t index_of(std::int64_t bin) const;
  Complex left_at(std::int64_t bin) const;
  /// Returns the energy above the floor around a bin, after subtraction of a tone.
  double rest(std::int64_t around, const SparseTone& tone) const;

  const SparseSpectrum& spectrum_;
  double n_;
  std::int64_t length_;
  bool real_;
  double floor_;
  std::vector<Complex> left_;
  std::vector<double> sizes_;  ///< magnitudes of the coefficients
};

std::size_t Remainder::index_of(std::int64_t bin) const {
  if (!real_) bin = (bin % length_ + length_) % length_;
  const auto& indices = spectrum_.indices;
  const auto found =
      std::lower_bound(indices.begin(), indices.end(), static_cast<std::uint64_t>(bin));
  if (bin < 0 || found == indices.end() || *found != static_cast<std::uint64_t>(bin)) return size();
  return static_cast<std::size_t>(found - indices.begin());
}

Complex Remainder::left_at(std::int64_t bin) const {
  const std::size_t index = index_of(bin);
  return index == size() ? 0 : left_[index];
}

std::size_t Remainder::nearest(const SparseTone& tone) const {
  return index_of(std::llround(tone.frequency));
}

Complex Remainder::value(const SparseTone& tone, double bin) const {
  Complex sum = tone.amplitude * response_of_bin(tone.frequency - bin, n_);
  const bool single = tone.frequency == 0 || 2 * tone.frequency == n_;
  if (real_ && !single)
    sum += std::conj(tone.amplitude) * response_of_bin(-tone.frequency - bin, n_);
  return sum;
}

double Remainder::rest(std::int64_t around, const SparseTone& tone) const {
  double energy = 0;
  for (std::int64_t bin = around - kLooks; bin <= around + kLooks; ++bin) {
    if (real_ && (bin < 0 || 2 * bin > length_)) continue;
    const Complex error = left_at(bin) - value(tone, static_cast<double>(bin));
    const double beyond = std::max(0.0, std::abs(error) - floor_);
    energy += beyond * beyond;
  }
  return energy;
}

SparseTone Remainder::estimate(std::size_t index) const {
  const auto bin = static_cast<std::int64_t>(spectrum_.indices[index]);
  const Complex x = left_[index], below = left_at(bin - 1), above = left_at(bin + 1);
  const auto frequency = static_cast<double>(bin);
  const SparseTone on_bin{frequency, x / n_, 0};
  // X of a tone d above a bin is proportional to d / (d - u) in the bin that is u above it, so
  // three adjacent bins determine d.
  const Complex curvature = 2.0 * x - below - above;
  if (curvature == 0.0) return on_bin;
  const double d = std::clamp(((below - above) / curvature).real(), -1.0, 1.0);
  SparseTone between{frequency + d, 0, 0};
  Complex sum = 0;
  double weight = 0;
  for (std::int64_t near = -1; near <= 1; ++near) {
    const Complex part = response_of_bin(d - static_cast<double>(near), n_);
    sum += std::conj(part) * left_at(bin + near);
    weight += std::norm(part);
  }
  between.amplitude = sum / weight;
  if (real_ && (between.frequency < 0 || 2 * between.frequency > n_)) return on_bin;
  return rest(bin, between) < kBetter * rest(bin, on_bin) ? between : on_bin;
}

void Remainder::add(const SparseTone& tone, double sign) {
  const double nearest_bin = std::round(tone.frequency);
  if (tone.frequency == nearest_bin) {
    const std::size_t index = nearest(tone);
    if (index != size()) left_[index] += sign * value(tone, nearest_bin);
    return;
  }
  const double near = std::abs(tone.amplitude) * n_ / 2 / kNeighbourhood;
  for (std::size_t i = 0; i < size(); ++i) {
    const double most = bound(tone, i);
    if (most < near && most < kNegligible * std::max(floor_, sizes_[i])) continue;
    left_[i] += sign * value(tone, bin(i));
  }
}

double Remainder::bound(const SparseTone& tone, std::size_t index) const {
  double distance = std::abs(bin(index) - tone.frequency);
  if (!real_) distance = std::min(distance, n_ - distance);
  return std::abs(tone.amplitude) * n_ / 2 / std::max(distance, 0.5);  // sin(x) >= 2 x / pi
}

bool is_between(const SparseTone& tone) { return tone.frequency != std::round(tone.frequency); }

/// Estimates the last tone, and the tones near it that lie between bins, each again without the
/// others.
void settle(Remainder& remainder, std::vector<SparseTone>& tones) {
  const double around = tones.back().frequency;
  std::vector<SparseTone*> near;
  for (auto& tone : tones) {
    if (std::abs(tone.frequency - around) <= kNeighbourhood && is_between(tone))
      near.push_back(&tone);
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (SparseTone* tone : near) {
      const std::size_t own = remainder.nearest(*tone);
      if (own == remainder.size()) continue;
      remainder.add(*tone, 1);
      *tone = remainder.estimate(own);
      remainder.add(*tone, -1);
    }
  }
}

/// Finds tones, in the order of the strongest remainder.
std::vector<SparseTone> find(Remainder& remainder) {
  std::vector<SparseTone> tones;
  using Candidate = std::pair<double, std::size_t>;
  std::priority_queue<Candidate> queue;
  for (std::size_t i = 0; i < remainder.size(); ++i) queue.push({remainder.left(i), i});
  while (!queue.empty()) {
    const auto [size, index] = queue.top();
    queue.pop();
    if (remainder.explained(index)) continue;
    if (remainder.left(index) < size) {  // a tone found meanwhile reduced it
      queue.push({remainder.left(index), index});
      continue;
    }
    tones.push_back(remainder.estimate(index));
    remainder.add(tones.back(), -1);
    settle(remainder, tones);
  }
  return tones;
}

/// Assigns each coefficient to the tone that contributes most to it, and counts.
void count_bins(const SparseSpectrum& spectrum, const Remainder& remainder,
                std::vector<SparseTone>& tones) {
  std::vector<std::size_t> between;
  for (std::size_t i = 0; i < tones.size(); ++i) {
    if (is_between(tones[i])) between.push_back(i);
    tones[i].bins = 0;
  }
  std::vector<std::size_t> owner(spectrum.indices.size(), tones.size());
  std::vector<double> most(spectrum.indices.size(), 0);
  const auto claim = [&](std::size_t tone, std::size_t index) {
    // The factor 2 is for the mirror image, which contributes at most as much.
    if (2 * remainder.bound(tones[tone], index) < most[index]) return;
    const double size = std::abs(remainder.value(tones[tone], remainder.bin(index)));
    if (size > most[index]) most[index] = size, owner[index] = tone;
  };
  for (std::size_t i = 0; i < tones.size(); ++i) {
    if (const auto index = remainder.nearest(tones[i]); index != remainder.size()) claim(i, index);
  }
  for (const std::size_t i : between)
    for (std::size_t index = 0; index < owner.size(); ++index) claim(i, index);
  for (const std::size_t tone : owner)
    if (tone < tones.size()) ++tones[tone].bins;
}

/// Returns the exponent of the largest coefficient if squares of coefficients would overflow or
/// underflow, else 0.
int far_exponent(const SparseSpectrum& spectrum) {
  constexpr int kFar = 256;
  double largest = 0;
  for (const Complex& value : spectrum.values)
    largest = std::max({largest, std::abs(value.real()), std::abs(value.imag())});
  if (largest == 0 || !std::isfinite(largest)) return 0;
  const int exponent = std::ilogb(largest);
  return std::abs(exponent) > kFar ? exponent : 0;
}

Complex scaled(const Complex& value, int exponent) {
  return {std::ldexp(value.real(), exponent), std::ldexp(value.imag(), exponent)};
}

/// Decomposes a spectrum whose squared coefficients neither overflow nor underflow.
std::vector<SparseTone> apart(const SparseSpectrum& spectrum, const SparseTransform& transform) {
  Remainder remainder(spectrum, transform);
  auto tones = find(remainder);
  count_bins(spectrum, remainder, tones);
  const auto n = static_cast<double>(transform.length);
  for (auto& tone : tones) {
    if (tone.frequency < 0) tone.frequency += n;
    if (tone.frequency >= n) tone.frequency -= n;
  }
  // Stable, because NaNs have no order.
  std::stable_sort(tones.begin(), tones.end(), [](const SparseTone& x, const SparseTone& y) {
    return std::norm(x.amplitude) > std::norm(y.amplitude);
  });
  return tones;
}

}  // namespace

std::complex<double> response_of_bin(double u, double n) {
  u -= n * std::round(u / n);
  const double angle = std::numbers::pi * u;
  if (u == 0) return n;
  if (u == std::round(u)) return 0;
  return std::polar(1.0, angle * (n - 1) / n) * (std::sin(angle) / std::sin(angle / n));
}

std::vector<SparseTone> take_apart(const SparseSpectrum& spectrum,
                                   const SparseTransform& transform) {
  const int exponent = far_exponent(spectrum);
  if (exponent == 0) return apart(spectrum, transform);
  SparseSpectrum near = spectrum;
  for (Complex& value : near.values) value = scaled(value, -exponent);
  near.floor = std::ldexp(spectrum.floor, -exponent);
  auto tones = apart(near, transform);
  for (SparseTone& tone : tones) tone.amplitude = scaled(tone.amplitude, exponent);
  return tones;
}

}  // namespace imago::sparse
