// This file lays out averaged spectra.
#include "signal/welch.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "problem/layout.hpp"
#include "signal/short_time.hpp"

namespace imago::signal {
namespace {

std::size_t axis_of(const WelchTransform& d) { return d.axis.value_or(d.lengths.size() - 1); }

/// Returns the dimensions of the spectra, or of the sums, of some frames.
std::vector<std::size_t> rows_of(const WelchTransform& d, std::size_t rows) {
  const std::size_t points = d.points == 0 ? d.window.size() : d.points;
  std::vector<std::size_t> lengths = d.lengths;
  lengths[axis_of(d)] = rows;
  lengths.push_back(d.kind == Kind::real ? points / 2 + 1 : points);
  return lengths;
}

/// Returns the forward transform of `frames` frames to the first of packed rows.
problem::Computation group(const WelchTransform& d, std::size_t frames, std::size_t rows,
                           bool other) {
  ShortTimeTransform t = all_frames(d, other);
  t.signal = signal_layout(t);
  t.frames = frames;
  t.lengths[axis_of(d)] = (frames - 1) * d.hop + d.window.size();
  t.spectrum = problem::filled({}, rows_of(d, rows));
  return forward_frames(t);
}

}  // namespace

ShortTimeTransform all_frames(const WelchTransform& d, bool other) {
  ShortTimeTransform t{.kind = d.kind,
                       .precision = d.precision,
                       .lengths = d.lengths,
                       .axis = d.axis,
                       .batch = d.batch,
                       .window = d.window,
                       .points = d.points,
                       .hop = d.hop,
                       .before = 0,
                       .frames = 1,
                       .directions = Directions::forward,
                       .signal = other ? d.other : d.signal,
                       .on_forward = other ? d.on_other : d.on_forward};
  const Framing f = check_short_time(t);
  if (f.folds())
    base::invalid("points", d.points,
                  "it must be at least the size of window, " + std::to_string(f.length));
  if (f.samples < f.length)
    base::invalid("the size of window", f.length,
                  "the signal has " + std::to_string(f.samples) + " samples: use a shorter window");
  t.frames = (f.samples - f.length) / f.hop + 1;
  return t;
}

Layout result_layout(const WelchTransform& d) {
  std::vector<std::size_t> lengths = rows_of(d, 1);
  lengths.erase(lengths.begin() + static_cast<std::ptrdiff_t>(axis_of(d)));
  Layout layout = d.spectrum;
  if (!d.cross) layout.storage = Storage::real;
  return problem::filled(layout, lengths);
}

problem::Computation kept_frames(const WelchTransform& d, std::size_t frames) {
  return group(d, frames, frames, false);
}

problem::Computation added_frames(const WelchTransform& d, std::size_t frames, std::size_t rows) {
  problem::Computation computation = group(d, frames, rows, d.cross);
  auto& store = computation.transform.on_forward.store;
  store.push_back(
      d.cross ? hook::multiply(kConjugatedArgument, {.batched = d.batch > 1, .conjugate = true})
              : hook::power());
  store.push_back(hook::accumulate());
  return computation;
}

problem::Computation added_sums(const WelchTransform& d, std::size_t count, std::size_t left) {
  const std::size_t axis = axis_of(d);
  std::vector<std::size_t> lengths = rows_of(d, left);
  const Storage storage = d.cross ? Storage::interleaved : Storage::real;
  Layout from = problem::filled({.storage = storage}, rows_of(d, count * left));
  Layout to = problem::filled({.storage = storage}, lengths);
  if (left == 1) {
    to = result_layout(d);
    to.strides.insert(to.strides.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  }
  const std::size_t apart = left * from.strides[axis];
  Transform t{.kind = Kind::identity,
              .precision = d.precision,
              .lengths = std::move(lengths),
              .batch = d.batch,
              .directions = Directions::forward,
              .norm = Norm::none,
              .signal = std::move(from),
              .spectrum = std::move(to)};
  t.on_forward.load = {hook::weighted_sum(kWeightsArgument, count, apart,
                                          {.axes = std::vector<std::size_t>(), .real = true})};
  return t;
}

}  // namespace imago::signal
