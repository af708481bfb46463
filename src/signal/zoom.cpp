// This file lays out zooms and computes their factors.
#include "signal/zoom.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/fft.hpp"
#include "base/pi.hpp"
#include "base/turns.hpp"
#include "problem/checks.hpp"
#include "problem/layout.hpp"
#include "problem/words.hpp"
#include "signal/checks.hpp"

namespace imago::signal {
namespace {

using Factor = std::complex<double>;

std::size_t axis_of(const ZoomTransform& zoom) {
  return zoom.axis.value_or(zoom.lengths.size() - 1);
}

/// Returns ln |z|; 0 if |z| is 1 but for rounding.
long double log_size(std::complex<double> z) {
  const long double re = z.real(), im = z.imag(), norm = re * re + im * im;
  constexpr long double kRounding = 0x1p-49L;  // the error of a square
  return std::abs(norm - 1) <= kRounding ? 0 : std::log(norm) / 2;
}

/// Returns the angle of z in turns.
long double angle_of(std::complex<double> z) {
  return std::atan2(static_cast<long double>(z.imag()), static_cast<long double>(z.real())) /
         (2 * base::kLongPi);
}

/// Moduli: factor j k of the transform has the modulus exp(ratio j k - start j).
struct Growth {
  long double start = 0, ratio = 0;
  long double middle = 0;  ///< middle of the distances k - j
  long double span = 0;    ///< largest distance from the middle

  /// Returns the logarithm by which the chirp of the filter grows or falls.
  long double spread() const { return std::abs(ratio) * span * span / 2; }
};

Growth growth_of(const ZoomTransform& zoom) {
  const auto n = static_cast<long double>(zoom.lengths[axis_of(zoom)]),
             m = static_cast<long double>(zoom.points);
  Growth growth{.middle = (m - n) / 2, .span = (m + n) / 2 - 1};
  if (!zoom.spiral) return growth;
  // The first sample has the factor 1 everywhere, and one point has no ratio.
  if (n > 1) growth.start = log_size(zoom.spiral->start);
  if (n > 1 && m > 1) growth.ratio = log_size(zoom.spiral->ratio.value_or(1));
  return growth;
}

/// The frequencies start + 2 k half_step, and their moduli.
struct Points {
  base::Turns start, half_step;
  Growth growth = {};
};

Points points_of(const ZoomTransform& zoom) {
  if (zoom.spiral) {
    const auto& [start, ratio] = *zoom.spiral;
    return {base::Turns(angle_of(start)),
            ratio ? base::Turns(-angle_of(*ratio) / 2)
                  : base::Turns::step(0, 1, 1, 2 * std::uint64_t{zoom.points}),
            growth_of(zoom)};
  }
  const std::uint64_t steps =
      zoom.endpoint ? std::max<std::uint64_t>(1, zoom.points - 1) : zoom.points;
  return {base::Turns::quotient(zoom.from, zoom.rate),
          base::Turns::step(zoom.from, zoom.to, zoom.rate, 2 * steps)};
}

/// The chirps, whose values are computed one by one. Distances t = k - j are counted from their
/// middle c: 2 j k = (j + c)^2 - c^2 + (k - c)^2 - (t - c)^2. The moduli of the filter then spread
/// least.
class Chirps {
 public:
  explicit Chirps(const Points& points) : points_(points) {}

  /// Factor of sample j.
  Factor of_sample(std::uint64_t j) const {
    const auto& [start, ratio, middle, span] = points_.growth;
    const auto n = static_cast<long double>(j);
    return sized((points_.start * j + square(j)).root(), n * ((n / 2 + middle) * ratio - start));
  }
  /// Factor of frequency k.
  Factor of_frequency(std::uint64_t k) const {
    return sized(square(k).root(), growth(static_cast<long double>(k)));
  }
  /// Elements t and -t of the filter.
  std::array<Factor, 2> of_filter(std::uint64_t t) const {
    const Factor root = std::conj(square(t).root());
    const auto distance = static_cast<long double>(t);
    return {sized(root, -growth(distance)), sized(root, -growth(-distance))};
  }

 private:
  base::Turns square(std::uint64_t t) const { return points_.half_step * t * t; }
  long double growth(long double t) const {
    const long double from_middle = t - points_.growth.middle;
    return from_middle * from_middle * points_.growth.ratio / 2;
  }
  static Factor sized(Factor root, long double log_size) {
    return log_size == 0 ? root : root * static_cast<double>(std::exp(log_size));
  }

  Points points_;
};

void check_range(const ZoomTransform& zoom) {
  if (!(zoom.rate > 0 && std::isfinite(zoom.rate)))
    base::invalid("rate", zoom.rate, "it must be finite and above 0: the sampling rate");
  constexpr double kMost = 0x1p32;
  for (const auto& [name, value] : {std::pair("from", zoom.from), std::pair("to", zoom.to)}) {
    if (!(std::abs(value / zoom.rate) <= kMost))
      base::invalid(name, value, "it must be finite and at most 2^32 times the rate in size");
  }
}

void check_spiral(const ZoomTransform& zoom) {
  const auto& spiral = *zoom.spiral;
  const std::complex<double> step = spiral.ratio.value_or(1);
  for (const auto& [name, z] :
       {std::pair("spiral.start", spiral.start), std::pair("spiral.ratio", step)}) {
    if (!std::isfinite(z.real()) || !std::isfinite(z.imag()) || z == 0.0)
      base::invalid(name, z, "it must be finite and not 0");
  }
  const Growth growth = growth_of(zoom);
  if (growth.start == 0 && growth.ratio == 0) return;
  if (zoom.precision != Precision::f64)
    base::invalid("precision", base::word_of(problem::kPrecisions, zoom.precision),
                  "points off the unit circle need f64");
}

std::string exponential(long double power) {
  std::ostringstream text;
  text << "exp(" << std::setprecision(3) << power << ")";
  return text.str();
}

/// Returns a layout with strides and distance filled in, for rows of `length` elements on an axis.
/// A hook makes real arrays complex, because Storage::real has no complex factors.
Layout laid_out(Layout layout, const ZoomTransform& zoom, std::size_t length) {
  if (layout.storage == Storage::real) layout.storage = Storage::interleaved;
  std::vector<std::size_t> lengths = zoom.lengths;
  lengths[axis_of(zoom)] = length;
  return problem::filled(std::move(layout), lengths);
}

/// One direction: the array that it reads, or the one that it writes.
struct End {
  const Layout& layout;
  std::size_t length;    ///< elements along the axis
  const char* argument;  ///< name of the factors
};

problem::Computation filter_between(const ZoomTransform& zoom, std::size_t padded, bool conjugate,
                                    const End& from, const End& to) {
  const std::size_t axis = axis_of(zoom);
  const auto factors = [&](const char* name) {
    return hook::multiply(name, {.axes = std::vector{axis}, .conjugate = conjugate});
  };
  FilterShape shape{.axes = std::vector(zoom.lengths.size(), Kind::identity),
                    .precision = zoom.precision,
                    .lengths = zoom.lengths,
                    .batch = zoom.batch,
                    .signal = laid_out(from.layout, zoom, from.length),
                    .result = laid_out(to.layout, zoom, to.length)};
  shape.axes[axis] = Kind::complex, shape.lengths[axis] = padded;
  std::vector<Hook>&load = shape.ends.load, &store = shape.ends.store;
  load = {hook::zero_outside(axis, 0, from.length)};
  if (from.layout.storage == Storage::real) load.push_back(hook::from_real());
  load.push_back(factors(from.argument));
  shape.spectrum = {factors(kZoomArguments[1])};
  store = {factors(to.argument), hook::zero_outside(axis, 0, to.length)};
  if (to.layout.storage == Storage::real) store.push_back(hook::to_real());
  return shape;
}

}  // namespace

void check_zoom(const ZoomTransform& zoom) {
  check_lengths(zoom.lengths);
  problem::check_axis("axis", axis_of(zoom), zoom.lengths.size(), "signal");
  check_length("points", zoom.points);
  base::check_word(problem::kPrecisions, "precision", zoom.precision);
  base::check_word(problem::kDirections, "directions", zoom.directions);
  base::check_word(problem::kStorages, "signal.storage", zoom.signal.storage);
  base::check_word(problem::kStorages, "spectrum.storage", zoom.spectrum.storage);
  zoom.spiral ? check_spiral(zoom) : check_range(zoom);
}

void check_accuracy(const ZoomTransform& zoom, bool pairs) {
  const Growth growth = growth_of(zoom);
  if (growth.start == 0 && growth.ratio == 0) return;
  // Rounding errors are relative to the largest element of the filter, and the factors of a term
  // may contain the least one. The bound of a filter is that of docs/architecture.md, Accuracy.
  const long double levels = std::log2(static_cast<long double>(least_points(zoom))),
                    bound = 3 * (pairs ? 4e-16L * (8 + levels) : 4e-17L * (4 + levels)),
                    most = std::log(0.1L / bound);
  if (growth.spread() > most)
    base::invalid("the spiral",
                  "too wide: its chirp spreads over " + exponential(growth.spread()) +
                      ", and rounding leaves no right digit",
                  "it may spread over " + exponential(most) +
                      ". Give fewer points or samples, or a ratio of points with a modulus closer "
                      "to 1. If the modulus should be 1, divide the ratio by it");
  const auto n = static_cast<long double>(zoom.lengths[axis_of(zoom)]);
  // Products of a factor, the chirp and the signal, and sums of them, must be finite numbers.
  const long double size = std::abs(growth.start) * (n - 1) + growth.spread(),
                    largest = pairs ? 50 : 500;
  if (size > largest)
    base::invalid("the spiral", "too wide: its factors reach " + exponential(size),
                  "they must stay within " + exponential(-largest) + " and " +
                      exponential(largest) +
                      ". Give fewer samples, or a first point with a modulus closer to 1");
}

std::size_t least_points(const ZoomTransform& zoom) {
  return zoom.lengths[axis_of(zoom)] + zoom.points - 1;
}

ZoomParts zoom_parts(const ZoomTransform& zoom, std::size_t padded) {
  const End signal{zoom.signal, zoom.lengths[axis_of(zoom)], kZoomArguments[0]},
      spectrum{zoom.spectrum, zoom.points, kZoomArguments[2]};
  ZoomParts parts{filter_between(zoom, padded, false, signal, spectrum),
                  filter_between(zoom, padded, true, spectrum, signal), padded};
  parts.forward.names.spectrum = "spectrum", parts.adjoint.names.spectrum = "signal";
  return parts;
}

std::array<std::vector<std::complex<double>>, 3> zoom_factors(const ZoomTransform& zoom,
                                                              std::size_t padded) {
  const Chirps chirps(points_of(zoom));
  std::vector<Factor> signal(padded), filter(padded), frequencies(padded);
  const std::size_t n = zoom.lengths[axis_of(zoom)];
  for (std::size_t j = 0; j < n; ++j) signal[j] = chirps.of_sample(j);
  for (std::size_t k = 0; k < zoom.points; ++k) frequencies[k] = chirps.of_frequency(k);
  for (std::size_t t = 0; t < std::max(n, zoom.points); ++t) {
    const auto [later, earlier] = chirps.of_filter(t);
    if (t < zoom.points) filter[t] = later;
    if (t > 0 && t < n) filter[padded - t] = earlier;
  }
  return {std::move(signal), base::dft(filter), std::move(frequencies)};
}

}  // namespace imago::signal
