// This file lays out streams.
#include "signal/stream.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/fft.hpp"
#include "base/integers.hpp"
#include "problem/layout.hpp"
#include "problem/words.hpp"
#include "signal/checks.hpp"
#include "signal/short_time.hpp"

namespace imago::signal {
namespace {

constexpr std::size_t kLongestSegment = std::size_t{1} << 28;

void check_default(const char* field, bool is_default) {
  if (!is_default)
    base::invalid(field, "given", "a stream's arrays are packed, with time first: leave it out");
}

void check_layout(const char* field, const Layout& layout) {
  if (layout != Layout{.storage = layout.storage})
    base::invalid(field, "given",
                  "a stream's arrays are packed, with time first: set the storage only");
}

/// Checks the lengths of a block.
void check_block(const std::vector<std::size_t>& lengths) {
  check_lengths(lengths);
  std::optional<std::uint64_t> elements = 1;
  for (const std::size_t length : lengths) {
    if (elements) elements = base::checked_multiply(*elements, length);
  }
  if (!elements || *elements > kMostElements)
    base::invalid("lengths", "too large", "a block must have at most 2^40 samples");
}

/// Returns the number of channels.
std::size_t channels_of(const std::vector<std::size_t>& lengths) {
  std::size_t product = 1;
  for (std::size_t d = 1; d < lengths.size(); ++d) product *= lengths[d];
  return product;
}

void check(const ShortTimeTransform& d) {
  check_block(d.lengths);
  if (d.axis.value_or(d.lengths.size() - 1) != 0)
    base::invalid("axis", d.axis.value_or(d.lengths.size() - 1),
                  "the samples of a stream must be the first dimension: set it to 0");
  check_default("batch", d.batch == 1);
  check_default("frames", d.frames == 0);
  check_layout("signal", d.signal);
  check_layout("spectrum", d.spectrum);
  if (d.border != Border::zeros)
    base::invalid("border", base::word_of(problem::kBorders, d.border),
                  "a stream has zeros before its first sample and behind its last");
  if (d.directions == Directions::both)
    base::invalid("directions", "both", "a stream has one: use forward or inverse");
}

/// Returns a batch of blocks that are one frame each: `samples` samples, `apart` elements from one
/// to the next.
ShortTimeTransform blocks(ShortTimeTransform d, const Framing& framing, std::size_t batch,
                          std::size_t samples, std::size_t apart) {
  const std::size_t channels = channels_of(d.lengths);
  d.lengths[0] = samples, d.axis = 0, d.batch = batch, d.frames = 1, d.before = 0;
  d.signal = problem::filled(d.signal, d.lengths), d.signal.distance = apart * channels;
  d.spectrum = spectrum_layout(d, check_short_time(d));
  d.spectrum.distance = channels * framing.bins(d.kind);
  return d;
}

/// Returns the sum of `rows` rows of samples for each window. Row i of a window, `row` samples, is
/// that of frame i; the window's results are the `hop` samples that are in all frames. The oldest
/// frame comes first.
problem::Computation sum_of_frames(const ShortTimeTransform& d, std::size_t windows,
                                   std::size_t rows) {
  const std::size_t block = d.hop * channels_of(d.lengths), row = rows * block;
  Transform t{.kind = Kind::identity,
              .precision = d.precision,
              .lengths = {block},
              .batch = windows,
              .directions = Directions::forward,
              .norm = Norm::none,
              .signal = {.strides = {1},
                         .distance = row,
                         .offset = row - block,
                         .storage = d.signal.storage},
              .spectrum = {.strides = {1}, .distance = block, .storage = d.signal.storage}};
  if (d.kind == Kind::real) t.signal.storage = t.spectrum.storage = Storage::real;
  t.on_forward.load = {hook::weighted_sum(kOnesArgument, rows, row - block,
                                          {.axes = std::vector<std::size_t>(), .real = true})};
  return t;
}

StreamParts forward_stream(const ShortTimeTransform& d, const Framing& framing) {
  StreamParts parts{.windows = {.length = framing.length,
                                .hop = framing.hop,
                                .before = framing.before,
                                .most = d.lengths[0],
                                .more = static_cast<std::int64_t>(framing.before),
                                .per = framing.hop},
                    .compute = Transform(),
                    .prepare = {},
                    .argument = kWindowArgument,
                    .factors = d.window};
  parts.input = parts.kept = channels_of(d.lengths);
  parts.result = parts.input * framing.bins(d.kind);
  parts.compute =
      forward_frames(blocks(d, framing, parts.windows.most_windows(), framing.length, framing.hop));
  return parts;
}

StreamParts inverse_stream(ShortTimeTransform d, const Framing& framing) {
  if (d.dual.empty()) d.dual = dual_of(d.window, d.hop);
  const std::size_t rows = base::ceil_divide(framing.length, framing.hop), row = rows * framing.hop,
                    most = base::ceil_divide(d.lengths[0], framing.hop);
  StreamParts parts{.windows = {.length = rows,
                                .before = rows - 1,
                                .results = framing.hop,
                                .dropped = framing.before,
                                .most = most,
                                .scale = framing.hop,
                                .more = static_cast<std::int64_t>(framing.length) -
                                        static_cast<std::int64_t>(framing.hop + framing.before)},
                    .compute = Transform(),
                    .prepare = separate_frames(blocks(d, framing, most, row, row)),
                    .argument = kDualArgument,
                    .factors = d.dual};
  parts.result = channels_of(d.lengths);
  parts.input = parts.result * framing.bins(d.kind), parts.kept = parts.result * row;
  parts.compute = sum_of_frames(d, parts.windows.most_windows(), rows);
  return parts;
}

/// Checks what does not depend on the length of the transforms.
void check(const FirFilter& f) {
  check_block(f.lengths);
  check_arithmetic(f.kind, f.precision);
  if (f.storage != Storage::interleaved && (f.kind == Kind::real || f.storage == Storage::real))
    base::invalid("storage", base::word_of(problem::kStorages, f.storage),
                  "it must be interleaved, or planar with Kind::complex");
  if (f.taps.empty() || f.taps.size() > kLongestSegment / 4)
    base::invalid("the size of taps", f.taps.size(), "it must be from 1 to 2^26");
  check_factors("taps", f.taps, f.kind);
  if (f.decimation == 0 || f.decimation > kLongestSegment / 4)
    base::invalid("decimation", f.decimation, "it must be from 1 to 2^26");
  if (f.interpolation == 0 || f.interpolation > kLongestSegment / 4)
    base::invalid("interpolation", f.interpolation, "it must be from 1 to 2^26");
}

void check_points(const FirFilter& f, std::size_t points) {
  if (points <= f.taps.size() || points > kLongestSegment)
    base::invalid("points", points,
                  "it must be above the size of taps, " + std::to_string(f.taps.size()) +
                      ", and at most 2^28");
  if (points % f.decimation != 0 || points - f.taps.size() + 1 < f.decimation)
    base::invalid("points", points,
                  "it must be a multiple of decimation, " + std::to_string(f.decimation) +
                      ", and longer than the taps by decimation - 1 samples");
}

/// Returns the length of the transforms that a filter has by default.
std::size_t default_points(const FirFilter& f) {
  constexpr std::size_t kShortest = 64, kRatio = 4;
  if (f.decimation <= 1 || f.decimation > kLongestSegment)
    return std::bit_ceil(std::max(kShortest, kRatio * f.taps.size()));
  const std::size_t least = kRatio * std::max(f.taps.size(), f.decimation),
                    most = kLongestSegment / f.decimation;
  return f.decimation * std::min(most, std::bit_ceil(base::ceil_divide(least, f.decimation)));
}

Layout layout_of(Storage storage, const std::vector<std::size_t>& lengths, std::size_t distance) {
  Layout layout = problem::filled({.storage = storage}, lengths);
  layout.distance = distance;
  return layout;
}

/// Returns the filter of segments of which each has `kept` results.
problem::Computation filter_of(const FirFilter& f, const Windows& windows) {
  const std::size_t kept = windows.results, before = windows.before,
                    channels = channels_of(f.lengths);
  FilterShape shape{
      .axes = std::vector(f.lengths.size(), Kind::identity),
      .precision = f.precision,
      .lengths = f.lengths,
      .batch = windows.most_windows(),
      .ends = f.ends,
      .spectrum = {hook::multiply(kResponseArgument, {.axes = std::vector<std::size_t>{0}})}};
  shape.axes[0] = f.kind, shape.lengths[0] = windows.length;
  shape.signal = shape.result = layout_of(f.storage, shape.lengths, kept * channels);
  auto& store = shape.ends.store;
  store.insert(store.begin(), hook::roll(0, -static_cast<std::int64_t>(before)));
  store.push_back(hook::zero_outside(0, 0, kept));
  problem::Computation filter = shape;
  filter.names.ends[false][true].before = 1;
  return filter;
}

/// Returns the filter whose interpolation and decimation have no common divisor, which only the
/// taps at its multiples meet.
FirFilter without_divisor(FirFilter f) {
  const std::size_t divisor = std::gcd(f.interpolation, f.decimation);
  if (divisor == 1) return f;
  f.interpolation /= divisor, f.decimation /= divisor;
  Factors taps;
  for (std::size_t j = 0; j < f.taps.size(); j += divisor) taps.push_back(f.taps[j]);
  f.taps = std::move(taps);
  return f;
}

/// Returns the transform of windows of a filter with several results for a window: each is the sum
/// of `terms` samples times their factors, and begins `stride` samples after the one before.
problem::Computation sums_of(const FirFilter& f, const Windows& windows, std::size_t terms,
                             std::size_t stride) {
  const std::size_t channels = channels_of(f.lengths);
  const Storage storage = f.kind == Kind::real ? Storage::real : f.storage;
  Transform t{.kind = Kind::identity,
              .precision = f.precision,
              .lengths = f.lengths,
              .batch = windows.most_windows(),
              .directions = Directions::forward,
              .norm = Norm::none};
  t.lengths[0] = windows.results;
  t.signal = layout_of(storage, t.lengths, windows.hop * channels);
  t.signal.strides[0] = stride * channels;
  t.spectrum = layout_of(storage, t.lengths, windows.results * channels);
  t.on_forward.load = {hook::weighted_sum(
      kTapsArgument, terms, channels,
      {.axes = std::vector<std::size_t>{0}, .real = !has_imaginary_parts(f.taps)})};
  t.on_forward.store = f.ends.store;
  problem::Computation sums = std::move(t);
  sums.names.ends[false][true] = {"ends.store"};
  sums.varies = true;
  return sums;
}

/// Returns a filter with L results for M samples (L > 1), of which a window has all L. Result r is
/// the sum over m of taps[r M % L + m L] x[r M / L - m] (P. P. Vaidyanathan, "Multirate digital
/// filters, filter banks, polyphase networks, and applications", Proc. IEEE 78, 1990). Such sums of
/// equally many terms begin a fixed number of samples one after the other, since taps of 0 make up
/// for the remainder of r M / L.
StreamParts interpolate(const FirFilter& f) {
  if (f.points != 0)
    base::invalid("points", f.points, "with an interpolation there is no transform: leave it out");
  if (!f.ends.load.empty())
    base::invalid("ends.load", "given", "with an interpolation, samples must have no hooks");
  // With fewer taps, results of the last sample would come after the end.
  const std::size_t up = f.interpolation, down = f.decimation, taps = std::max(f.taps.size(), up),
                    each = base::ceil_divide(taps, up), stride = (2 * down + up) / (2 * up),
                    channels = channels_of(f.lengths);
  const auto late = [&](std::size_t r) {
    return static_cast<std::int64_t>(r * down / up) - static_cast<std::int64_t>(r * stride);
  };
  const std::int64_t last = late(up - 1), first = std::min<std::int64_t>(last, 0);
  const std::size_t terms = each + static_cast<std::size_t>(std::abs(last));
  constexpr std::size_t kMostFactors = std::size_t{1} << 24;
  if (terms > kMostFactors / up)
    base::invalid("interpolation", up,
                  "with the decimation " + std::to_string(down) +
                      " the filter has more than 2^24 factors: use a ratio of smaller numbers");
  const Windows windows{.length = stride * (up - 1) + terms,
                        .hop = down,
                        .before = each - 1 + static_cast<std::size_t>(-first),
                        .results = up,
                        .most = f.lengths[0],
                        .scale = up,
                        .more = static_cast<std::int64_t>(taps) - static_cast<std::int64_t>(up),
                        .per = down};
  StreamParts parts{.windows = windows,
                    .compute = sums_of(f, windows, terms, stride),
                    .prepare = {},
                    .argument = kTapsArgument,
                    .factors = Factors(terms * up),
                    .input = channels,
                    .kept = channels,
                    .result = channels};
  for (std::size_t r = 0; r < up; ++r)
    for (std::size_t m = 0, tap = r * down % up; tap < f.taps.size(); ++m, tap += up)
      parts.factors[(static_cast<std::size_t>(late(r) - first) + each - 1 - m) * up + r] =
          f.taps[tap];
  return parts;
}

/// Sets the transforms and factors of a filter that returns every D-th result. With M = N/D, these
/// are the inverse transform of M points of the sums of entries k, k + M, k + 2 M, ... of the
/// product of N points. For real samples, the entries above N/2 are left out and the others count
/// twice, so that the real part of the inverse is the result.
void decimate(StreamParts& parts, const FirFilter& f) {
  const Windows& windows = parts.windows;
  const std::size_t channels = channels_of(f.lengths), points = windows.length,
                    folded = points / f.decimation;
  const bool real = f.kind == Kind::real;
  const std::size_t entries = real ? points / 2 + 1 : points,
                    arrays = base::ceil_divide(entries, folded);
  parts.spectrum = arrays * folded * channels;
  Transform there{.axes = std::vector(f.lengths.size(), Kind::identity),
                  .precision = f.precision,
                  .lengths = f.lengths,
                  .batch = windows.most_windows(),
                  .directions = Directions::forward,
                  .norm = Norm::none};
  Transform back = there;
  there.axes[0] = f.kind, there.lengths[0] = points;
  there.signal = layout_of(f.storage, there.lengths, windows.hop * channels);
  there.spectrum = layout_of(Storage::interleaved, there.lengths, parts.spectrum);
  there.on_forward.load = f.ends.load;
  back.axes[0] = Kind::complex, back.lengths[0] = folded, back.directions = Directions::inverse;
  back.signal = layout_of(f.storage, back.lengths, windows.results * channels);
  back.spectrum = layout_of(Storage::interleaved, back.lengths, parts.spectrum);
  back.on_inverse.load = {hook::weighted_sum(kResponseArgument, arrays, folded * channels,
                                             {.axes = std::vector<std::size_t>{0}})};
  auto& store = back.on_inverse.store;
  if (real) store.push_back(hook::to_real());
  store.insert(store.end(), f.ends.store.begin(), f.ends.store.end());
  store.push_back(hook::zero_outside(0, 0, windows.results));
  parts.spectra = std::move(there), parts.compute = std::move(back);
  parts.spectra->names.ends[false][false] = {"ends.load"};
  parts.compute.names.ends[true][true] = {"ends.store", real ? std::size_t{1} : 0};
  parts.spectra->varies = true;

  // The first result of a window belongs to its sample number `before`.
  Factors response(points);
  for (std::size_t j = 0; j < f.taps.size(); ++j)
    response[(points + j - windows.before) % points] = f.taps[j] / static_cast<double>(points);
  parts.factors = base::dft(response);
  if (!real) return;
  parts.factors.resize(entries);
  for (std::size_t k = 1; 2 * k < points; ++k) parts.factors[k] *= 2;
  parts.factors.resize(arrays * folded);
}

}  // namespace

std::uint64_t Windows::inside(std::uint64_t n) const {
  return n + before < length ? 0 : (n + before - length) / hop + 1;
}
std::uint64_t Windows::results_of_ended(std::uint64_t n) const {
  if (n == 0) return 0;
  return base::ceil_divide(n * scale + static_cast<std::uint64_t>(more), per);
}
std::uint64_t Windows::of_ended(std::uint64_t n) const {
  return n == 0 ? 0 : base::ceil_divide(results_of_ended(n) + dropped, results);
}
std::uint64_t Windows::results_of(std::uint64_t windows) const {
  return std::max(windows * results, dropped) - dropped;
}
std::uint64_t Windows::most_windows() const {
  // At the end of a stream, less than a window has not been computed.
  return base::ceil_divide(std::max(most, length), hop);
}

StreamParts stream_of(const ShortTimeTransform& given) {
  check(given);
  ShortTimeTransform d = given;
  d.axis = 0;
  const Framing framing = check_short_time(d);
  if (framing.before >= framing.length)
    base::invalid(
        "before", framing.before,
        "in a stream it must be less than the size of window, " + std::to_string(framing.length));
  auto parts =
      d.directions == Directions::forward ? forward_stream(d, framing) : inverse_stream(d, framing);
  parts.factors.resize(framing.factors());
  parts.compute.varies = true;
  if (parts.prepare) parts.prepare->varies = true;
  return parts;
}

StreamParts stream_of(const FirFilter& given) {
  check(given);
  const FirFilter f = without_divisor(given);
  if (f.interpolation > 1) return interpolate(f);
  const std::size_t taps = f.taps.size();
  const std::size_t points = f.points != 0 ? f.points : default_points(f);
  check_points(f, points);
  const std::size_t results = (points - (taps - 1)) / f.decimation,
                    channels = channels_of(f.lengths);
  StreamParts parts{.windows = {.length = points,
                                .hop = results * f.decimation,
                                .before = taps - 1,
                                .results = results,
                                .most = f.lengths[0],
                                .more = static_cast<std::int64_t>(taps - 1),
                                .per = f.decimation},
                    .compute = Transform(),
                    .prepare = {},
                    .argument = kResponseArgument,
                    .factors = {},
                    .input = channels,
                    .kept = channels,
                    .result = channels};
  if (f.decimation > 1) {
    decimate(parts, f);
  } else {
    parts.compute = filter_of(f, parts.windows);
    Factors response = f.taps;
    response.resize(points);
    parts.factors = base::dft(response);
    if (f.kind == Kind::real) parts.factors.resize(points / 2 + 1);
  }
  parts.compute.varies = true;
  return parts;
}

}  // namespace imago::signal
