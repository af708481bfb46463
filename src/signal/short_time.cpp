// This file lays out short-time Fourier transforms.
#include "signal/short_time.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "problem/checks.hpp"
#include "problem/layout.hpp"
#include "problem/make_problem.hpp"
#include "problem/words.hpp"
#include "signal/checks.hpp"

namespace imago::signal {
namespace {

void check_signal(const ShortTimeTransform& d) {
  check_lengths(d.lengths);
  std::optional<std::uint64_t> elements = d.batch;
  for (const std::size_t length : d.lengths) {
    if (elements) elements = base::checked_multiply(*elements, length);
  }
  if (d.batch == 0 || !elements || *elements > std::uint64_t{1} << 60)
    base::invalid("batch", d.batch, "the signals must have from 1 to 2^60 samples");
  if (d.axis) problem::check_axis("axis", *d.axis, d.lengths.size(), "signal");
}

/// Real samples of complex transforms are converted by a hook, because Storage::real has no complex
/// factors.
bool takes_real_parts(const ShortTimeTransform& d) {
  return d.kind == Kind::complex && d.signal.storage == Storage::real;
}

/// Checks a transform with less points than a frame has samples.
void check_folded(const ShortTimeTransform& d) {
  if (d.window.size() % d.points != 0)
    base::invalid("points", d.points,
                  "below the size of window, " + std::to_string(d.window.size()) +
                      ", it must divide it: append zeros to the window");
  if (d.directions != Directions::forward)
    base::invalid("points", d.points,
                  "below the size of window, there is no inverse: use Directions::forward");
  if (!d.on_forward.load.empty())
    base::invalid("on_forward.load", "given",
                  "with points below the size of window, samples must have no hooks");
  if (takes_real_parts(d) && has_imaginary_parts(d.window))
    base::invalid("window", "complex",
                  "with Storage::real and points below its size, its numbers must be real");
}

/// Returns the axes of the spectra: all but the last are not transformed.
std::vector<Kind> axes_of(const ShortTimeTransform& d, Kind last) {
  std::vector<Kind> axes(d.lengths.size() + 1, Kind::identity);
  axes.back() = last;
  return axes;
}

/// Returns the lengths with another number of samples, or of frames, and a last dimension.
std::vector<std::size_t> with_last(const ShortTimeTransform& d, const Framing& framing,
                                   std::size_t along, std::size_t last) {
  std::vector<std::size_t> lengths = d.lengths;
  lengths[framing.axis] = along;
  lengths.push_back(last);
  return lengths;
}

/// Returns the layout of a signal as frames: element j of frame i is sample i hop + j.
Layout in_frames(Layout signal, const Framing& framing, std::size_t hop) {
  const std::size_t apart = signal.strides[framing.axis];
  signal.strides[framing.axis] = hop * apart;
  signal.strides.push_back(apart);
  return signal;
}

Layout without_real_parts(const ShortTimeTransform& d, Layout layout) {
  if (layout.storage == Storage::real) layout.storage = Storage::interleaved;
  if (d.kind == Kind::real) layout.storage = Storage::interleaved;
  return layout;
}

Hook factors_of(const char* argument, std::size_t axis, const Factors& factors, bool conjugate) {
  return hook::multiply(
      argument,
      {.axes = std::vector{axis}, .real = !has_imaginary_parts(factors), .conjugate = conjugate});
}

Layout extended_layout(const ShortTimeTransform& d, const Framing& framing) {
  std::vector<std::size_t> lengths = d.lengths;
  lengths[framing.axis] = framing.reach();
  const bool real = d.kind == Kind::real || d.signal.storage == Storage::real;
  return problem::filled({.storage = real ? Storage::real : Storage::interleaved}, lengths);
}

void append(std::vector<Hook>& hooks, const std::vector<Hook>& others) {
  hooks.insert(hooks.end(), others.begin(), others.end());
}

/// Returns a copy of signals, with the batch as first dimension.
SignalCopy copy_of(const ShortTimeTransform& d, const std::vector<std::size_t>& lengths, Layout to,
                   Border border) {
  const Framing f = check_short_time(d);
  SignalCopy copy{.precision = d.precision,
                  .border = border,
                  .lengths = lengths,
                  .from = signal_layout(d),
                  .to = std::move(to),
                  .axis = f.axis + 1,
                  .samples = f.samples,
                  .before = f.before};
  copy.lengths.insert(copy.lengths.begin(), d.batch);
  for (Layout* layout : {&copy.from, &copy.to}) {
    if (d.kind == Kind::real) layout->storage = Storage::real;
    layout->strides.insert(layout->strides.begin(), layout->distance);
  }
  return copy;
}

}  // namespace

Layout signal_layout(const ShortTimeTransform& d) { return problem::filled(d.signal, d.lengths); }
Layout spectrum_layout(const ShortTimeTransform& d, const Framing& framing) {
  return problem::filled(d.spectrum, with_last(d, framing, framing.frames, framing.bins(d.kind)));
}

std::size_t Framing::phases() const { return std::min(frames, base::ceil_divide(length, hop)); }
bool Framing::first_covers() const {
  return length == phases() * hop && frames_of(0) * length >= before + samples;
}
std::size_t Framing::frames_of(std::size_t phase) const {
  return base::ceil_divide(frames - phase, phases());
}

Framing check_short_time(const ShortTimeTransform& d) {
  check_signal(d);
  check_arithmetic(d.kind, d.precision);
  base::check_word(problem::kBorders, "border", d.border);
  base::check_word(problem::kDirections, "directions", d.directions);
  base::check_word(problem::kStorages, "signal.storage", d.signal.storage);
  Framing f;
  f.axis = d.axis.value_or(d.lengths.size() - 1), f.samples = d.lengths[f.axis];
  f.length = d.window.size(), f.hop = d.hop;
  if (d.window.empty() || d.window.size() > kMostElements)
    base::invalid("the size of window", d.window.size(), "give one factor for each sample");
  check_factors("window", d.window, d.kind);
  if (!d.dual.empty() && d.dual.size() != d.window.size())
    base::invalid("the size of dual", d.dual.size(),
                  "it must be that of window, " + std::to_string(d.window.size()));
  check_factors("dual", d.dual, d.kind);
  f.points = d.points == 0 ? f.length : d.points;
  if (f.points > kMostElements) base::invalid("points", d.points, "it must be at most 2^40");
  if (f.folds()) check_folded(d);
  if (d.hop == 0 || d.hop > kMostElements)
    base::invalid("hop", d.hop, "it must be at least 1: the samples from frame to frame");
  f.before = d.before.value_or(f.length > f.hop ? f.length - f.hop : 0);
  if (f.before > kMostElements) base::invalid("before", f.before, "it must be at most 2^40");
  f.frames = d.frames == 0 ? base::ceil_divide(f.samples + f.before, f.hop) : d.frames;
  if (f.frames > kMostElements) base::invalid("frames", f.frames, "it must be at most 2^40");
  return f;
}

Factors dual_of(const Factors& window, std::size_t hop) {
  if (hop == 0 || hop > window.size())
    base::invalid(
        "hop", hop,
        "for inverse() it must be from 1 to the size of window, " + std::to_string(window.size()));
  std::vector<double> sums(hop, 0.0);
  for (std::size_t j = 0; j < window.size(); ++j) sums[j % hop] += std::norm(window[j]);
  const double largest = *std::max_element(sums.begin(), sums.end());
  Factors dual(window.size());
  for (std::size_t j = 0; j < window.size(); ++j) {
    constexpr double kNothing = 1e-15;
    if (!(sums[j % hop] > kNothing * largest))
      base::invalid("window", "0 at sample " + std::to_string(j % hop) + " of every hop",
                    "inverse() cannot restore samples that all frames multiply by 0: use a "
                    "shorter hop, another window or Directions::forward");
    dual[j] = window[j] / sums[j % hop];
  }
  return dual;
}

bool is_extended(const ShortTimeTransform& d) {
  if (d.border != Border::zeros) return true;
  const Framing f = check_short_time(d);
  return f.folds() && (f.before > 0 || f.reach() > f.samples);
}

problem::Computation forward_frames(const ShortTimeTransform& d) {
  const Framing f = check_short_time(d);
  const std::size_t last = d.lengths.size();
  const bool extended = is_extended(d);
  const Layout signal = extended ? extended_layout(d, f) : signal_layout(d);
  const Layout spectrum = spectrum_layout(d, f);
  Transform t{.axes = axes_of(d, d.kind),
              .precision = d.precision,
              .lengths = with_last(d, f, f.frames, f.points),
              .batch = d.batch,
              .directions = Directions::forward,
              .norm = Norm::none,
              .signal = in_frames(without_real_parts(d, signal), f, f.hop),
              .spectrum = spectrum};
  auto& load = t.on_forward.load;
  load = d.on_forward.load;
  if (f.folds()) {
    const std::size_t apart = t.signal.strides.back();
    load.push_back(hook::weighted_sum(
        kWindowArgument, f.length / f.points, f.points * apart,
        {.axes = std::vector{last}, .real = !has_imaginary_parts(d.window), .conjugate = true}));
  } else {
    load.push_back(hook::zero_outside(last, 0, f.length));
    load.push_back(hook::frames(f.axis, last, f.hop, extended ? 0 : f.before,
                                extended ? f.reach() : f.samples));
  }
  if (takes_real_parts(d)) load.push_back(hook::from_real());
  if (!f.folds()) load.push_back(factors_of(kWindowArgument, last, d.window, true));
  if (d.roll != 0) load.push_back(hook::roll(last, d.roll));
  t.on_forward.store = d.on_forward.store;
  return t;
}

namespace {

/// Returns the inverse of `frames` frames, which writes them by way of `own` hooks.
problem::Computation inverse_to(const ShortTimeTransform& d, std::size_t frames,
                                hook::Frames written, const std::vector<Hook>& own) {
  const Framing f = check_short_time(d);
  const std::size_t last = d.lengths.size();
  Layout spectrum = spectrum_layout(d, f);
  spectrum.strides[f.axis] *= f.phases();
  Transform t{.axes = axes_of(d, d.kind),
              .precision = d.precision,
              .lengths = with_last(d, f, frames, f.points),
              .batch = d.batch,
              .directions = Directions::inverse,
              .signal = in_frames(without_real_parts(d, signal_layout(d)), f, written.hop),
              .spectrum = std::move(spectrum)};
  auto& store = t.on_inverse.store;
  if (d.roll != 0) store.push_back(hook::roll(last, -d.roll));
  store.push_back(factors_of(kDualArgument, last, d.dual, false));
  const std::size_t before = store.size();
  append(store, d.on_inverse.store);
  store.push_back(hook::zero_outside(last, 0, f.length));
  store.push_back(std::move(written));
  if (takes_real_parts(d)) store.push_back(hook::to_real());
  append(store, own);
  t.on_inverse.load = d.on_inverse.load;
  problem::Computation computation(std::move(t));
  computation.names.ends[true][true].before = before;
  return computation;
}

}  // namespace

problem::Computation inverse_frames(const ShortTimeTransform& d, std::size_t frames, bool adds) {
  const Framing f = check_short_time(d);
  std::vector<Hook> last;
  if (adds) last.push_back(hook::accumulate());
  return inverse_to(
      d, frames,
      {f.axis, d.lengths.size(), f.phases() * f.hop, f.before, f.samples, kPhaseArgument, f.hop},
      last);
}

problem::Computation separate_frames(const ShortTimeTransform& d) {
  const Framing f = check_short_time(d);
  return inverse_to(d, f.frames, {f.axis, d.lengths.size(), f.hop, f.before, f.samples}, {});
}

std::size_t SignalCopy::elements() const {
  return std::accumulate(lengths.begin(), lengths.end(), std::size_t{1}, std::multiplies<>());
}
std::size_t SignalCopy::bytes() const {
  return elements() * (to.storage == Storage::real ? 1 : 2) * base::bytes_of(precision);
}

problem::Problem signals_of(const ShortTimeTransform& d) {
  Layout signal = signal_layout(d);
  if (d.kind == Kind::real) signal.storage = Storage::real;
  problem::Computation computation(Transform{.kind = Kind::identity,
                                             .precision = d.precision,
                                             .lengths = d.lengths,
                                             .batch = d.batch,
                                             .directions = Directions::forward,
                                             .signal = signal,
                                             .spectrum = signal});
  computation.names.spectrum = "signal";
  return problem::make_problem(computation);
}

SignalCopy cleared_signal(const ShortTimeTransform& d) {
  return copy_of(d, d.lengths, signal_layout(d), Border::zeros);
}

SignalCopy extended_signal(const ShortTimeTransform& d) {
  const Framing f = check_short_time(d);
  std::vector<std::size_t> lengths = d.lengths;
  lengths[f.axis] = f.reach();
  Layout to = extended_layout(d, f);
  if (d.border != Border::zeros) return copy_of(d, lengths, to, d.border);
  // The samples inside of the signal, which need no border.
  if (f.before >= f.reach())
    base::invalid("before", f.before, "no frame reaches the signal: use a smaller number");
  lengths[f.axis] = std::min(f.samples, f.reach() - f.before);
  to.offset += f.before * to.strides[f.axis];
  SignalCopy copy = copy_of(d, lengths, to, Border::edge);
  copy.before = 0;
  return copy;
}

std::size_t extended_bytes(const ShortTimeTransform& d) {
  const Framing f = check_short_time(d);
  const Layout layout = extended_layout(d, f);
  return d.batch * layout.distance * (layout.storage == Storage::real ? 1 : 2) *
         base::bytes_of(d.precision);
}

}  // namespace imago::signal
