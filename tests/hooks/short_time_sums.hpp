// This file computes short-time Fourier transforms and their inverse by their definition.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include <imago/short_time_transform.hpp>

#include "support/hooked.hpp"

namespace imago::test {

using Wide = std::complex<long double>;

/// A description, and a host computation by its definition.
struct ShortTimeSums {
  explicit ShortTimeSums(ShortTimeTransform description) : d(std::move(description)) {
    axis = d.axis.value_or(d.lengths.size() - 1);
    for (std::size_t i = 0; i < axis; ++i) outer *= d.lengths[i];
    for (std::size_t i = axis + 1; i < d.lengths.size(); ++i) inner *= d.lengths[i];
    outer *= d.batch, n = d.lengths[axis];
    points = d.points == 0 ? d.window.size() : d.points;
    before = d.before.value_or(d.window.size() > d.hop ? d.window.size() - d.hop : 0);
    frames = d.frames == 0 ? (n + before + d.hop - 1) / d.hop : d.frames;
    bins = d.kind == Kind::real ? points / 2 + 1 : points;
    for (std::size_t k = 0; k < points; ++k) {
      const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                                static_cast<long double>(points);
      roots.emplace_back(std::cos(angle), std::sin(angle));
    }
  }

  Wide root(std::size_t k, std::size_t j, int sign) const {
    const auto n = static_cast<std::int64_t>(points);
    const auto shifted = ((static_cast<std::int64_t>(j) + d.roll) % n + n) % n;
    const Wide& root = roots[static_cast<std::size_t>(shifted * static_cast<std::int64_t>(k) % n)];
    return sign > 0 ? root : std::conj(root);
  }
  /// Returns sample t of a row, which may be outside of the signal, by repeated reflection.
  template <class Row>
  Wide sample(const Row& row, std::int64_t t) const {
    const auto last = static_cast<std::int64_t>(n) - 1;
    if (t >= 0 && t <= last) return row(t);
    if (d.border == Border::zeros) return 0;
    if (d.border == Border::edge || last == 0) return row(t < 0 ? 0 : last);
    const std::int64_t mirror = t < 0 ? 0 : last;
    const Wide other = sample(row, 2 * mirror - t);
    return d.border == Border::even ? other : 2.0L * row(mirror) - other;
  }
  std::size_t signal_at(std::size_t o, std::size_t t, std::size_t i) const {
    return (o * n + t) * inner + i;
  }
  std::size_t spectrum_at(std::size_t o, std::size_t frame, std::size_t i, std::size_t k) const {
    return ((o * frames + frame) * inner + i) * bins + k;
  }
  template <class Visit>
  void each_frame(Visit visit) const {
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) {
        for (std::size_t frame = 0; frame < frames; ++frame) visit(o, frame, i);
      }
    }
  }

  std::vector<Wide> forward(const std::vector<Complex>& x) const {
    std::vector<Wide> spectra(outer * inner * frames * bins);
    each_frame([&](std::size_t o, std::size_t frame, std::size_t i) {
      const auto row = [&](std::int64_t t) {
        return Wide(x[signal_at(o, static_cast<std::size_t>(t), i)]);
      };
      for (std::size_t j = 0; j < d.window.size(); ++j) {
        const auto t =
            static_cast<std::int64_t>(frame * d.hop + j) - static_cast<std::int64_t>(before);
        const Wide weighted = sample(row, t) * std::conj(Wide(d.window[j]));
        for (std::size_t k = 0; k < bins; ++k)
          spectra[spectrum_at(o, frame, i, k)] += weighted * root(k, j, -1);
      }
    });
    return spectra;
  }
  std::vector<Wide> inverse(const std::vector<Complex>& spectra,
                            const std::vector<Complex>& dual) const {
    std::vector<Wide> x(outer * n * inner);
    each_frame([&](std::size_t o, std::size_t frame, std::size_t i) {
      for (std::size_t j = 0; j < dual.size(); ++j) {
        const auto t =
            static_cast<std::int64_t>(frame * d.hop + j) - static_cast<std::int64_t>(before);
        if (t < 0 || t >= static_cast<std::int64_t>(n)) continue;
        Wide sum = 0;
        for (std::size_t k = 0; k < points; ++k) {
          const bool stored = k < bins;
          Wide bin(spectra[spectrum_at(o, frame, i, stored ? k : points - k)]);
          // The spectra of real frames: their first and middle bins are real.
          if (d.kind == Kind::real && 2 * k % points == 0) bin = bin.real();
          sum += (stored ? bin : std::conj(bin)) * root(k, j, 1);
        }
        if (d.kind == Kind::real) sum = sum.real();
        x[signal_at(o, static_cast<std::size_t>(t), i)] +=
            sum / static_cast<long double>(points) * Wide(dual[j]);
      }
    });
    if (real_signal()) std::for_each(x.begin(), x.end(), [](Wide& v) { v = v.real(); });
    return x;
  }
  bool real_signal() const { return d.kind == Kind::real || d.signal.storage == Storage::real; }

  ShortTimeTransform d;
  std::size_t axis = 0, outer = 1, inner = 1, n = 0, points = 0, before = 0, frames = 0, bins = 0;
  std::vector<Wide> roots;  ///< exp(2 pi i k / points)
};

}  // namespace imago::test
