// This file checks a Transform or a FilterShape and fills in its defaults.
#include "problem/make_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "problem/checks.hpp"
#include "problem/hooks.hpp"
#include "problem/kinds.hpp"
#include "problem/layout.hpp"
#include "problem/words.hpp"

namespace imago::problem {
namespace {

std::vector<Kind> kinds_of(const Transform& t) {
  if (!t.axes.empty()) {
    if (t.axes.size() != t.lengths.size())
      base::invalid("the size of axes", t.axes.size(), "give one kind per length, or none");
    if (std::count(t.axes.begin(), t.axes.end(), Kind::real) > 1)
      base::invalid("axes", "real more than once",
                    "at most one axis can be real: the others transform its complex result");
    return t.axes;
  }
  // Kind real: the last axis is real, and the others transform its complex results.
  std::vector<Kind> kinds(t.lengths.size(), t.kind == Kind::real ? Kind::complex : t.kind);
  if (t.kind == Kind::real) kinds.back() = Kind::real;
  return kinds;
}

void check_lengths(const Transform& t) {
  if (t.lengths.empty()) base::invalid("the size of lengths", 0, "give one length per dimension");
  for (std::size_t i = 0; i < t.lengths.size(); ++i) {
    if (t.lengths[i] == 0) base::invalid(base::indexed("lengths", i), 0, "it must be at least 1");
  }
  if (t.batch == 0) base::invalid("batch", 0, "it must be at least 1");
  std::uint64_t points = 1;
  const auto count = [&](const std::string& field, std::size_t factor) {
    const auto product = base::checked_multiply(points, factor);
    if (!product || *product > std::numeric_limits<std::int64_t>::max() / sizeof(double))
      base::invalid(field, factor, "batch x lengths must fit 64-bit addresses");
    points = *product;
  };
  for (std::size_t i = 0; i < t.lengths.size(); ++i)
    count(base::indexed("lengths", i), t.lengths[i]);
  count("batch", t.batch);
}

/// Checks the values of enumerations, because callers may cast any number to them.
void check_words(const Computation& c) {
  const Transform& t = c.transform;
  base::check_word(kKinds, "kind", t.kind);
  for (std::size_t i = 0; i < t.axes.size(); ++i)
    base::check_word(kKinds, base::indexed("axes", i), t.axes[i]);
  base::check_word(kPrecisions, "precision", t.precision);
  base::check_word(kPlacements, "placement", t.placement);
  base::check_word(kDirections, "directions", t.directions);
  base::check_word(kNorms, "norm", t.norm);
  base::check_word(kStorages, "signal.storage", t.signal.storage);
  base::check_word(kStorages, std::string(c.names.spectrum) + ".storage", t.spectrum.storage);
}

void check_kinds(const Problem& p) {
  for (std::size_t i = 0; i < p.kinds.size(); ++i) {
    if (p.kinds[i] == Kind::dct1 && p.lengths[i] < 2)
      base::invalid(base::indexed("lengths", i), p.lengths[i],
                    "it must be at least 2 along an axis of dct1");
  }
}

SideRequest side_request(const Computation& c, const Problem& p, bool spectrum) {
  const Transform& t = c.transform;
  SideRequest request{spectrum ? t.spectrum : t.signal, spectrum ? c.names.spectrum : "signal"};
  // A filter writes a signal.
  const bool spectral = spectrum && !c.filter;
  request.lengths = request.padded = spectral ? p.spectrum_lengths() : p.lengths;
  if (const auto axis = p.real_axis(); axis && !c.filter && !spectral) {
    if (t.placement == Placement::in_place) request.padded[*axis] = 2 * (p.lengths[*axis] / 2 + 1);
  }
  request.batch = t.batch;
  // In place both sides are written if they are the same elements. Hooks at store define the
  // written elements themselves.
  const Hooks& writer = spectrum ? t.on_forward : t.on_inverse;
  const bool both = t.placement == Placement::in_place && (!p.real_axis() || c.filter);
  request.written =
      (both || t.directions != (spectrum ? Directions::inverse : Directions::forward)) &&
      writer.store.empty();
  request.element_bytes = 2 * base::bytes_of(t.precision);
  request.real = p.only_real() || (p.real_axis() && !spectral);
  if (request.real && request.layout.storage != Storage::interleaved)
    base::invalid(std::string(request.name) + ".storage",
                  base::word_of(kStorages, request.layout.storage),
                  "it must be interleaved: real numbers have one part");
  request.real = request.real || request.layout.storage == Storage::real;
  if (request.real || request.layout.storage == Storage::planar) request.element_bytes /= 2;
  return request;
}

void check_in_place(const Problem& p, const Computation& c) {
  const std::string spectrum = c.names.spectrum;
  if (p.signal.storage != p.spectrum.storage)
    base::invalid(spectrum + ".storage", base::word_of(kStorages, p.spectrum.storage),
                  "in place it must be the signal's, " +
                      std::string(base::word_of(kStorages, p.signal.storage)));
  if (p.real_axis() && !c.filter) return;  // kernels use scratch memory if rows move
  if (p.signal.offset != p.spectrum.offset) {
    base::invalid(spectrum + ".offset", p.spectrum.offset,
                  "in place it must be the signal's, " + std::to_string(p.signal.offset));
  }
  if (cover_the_same(p.signal, p.spectrum, p.batch)) return;
  const auto differs = [](const std::string& field, std::uint64_t value, std::uint64_t signals) {
    base::invalid(field, value,
                  "in place both layouts must cover the same bytes; the signal's is " +
                      std::to_string(signals));
  };
  for (std::size_t d = 0; d < p.lengths.size() && !cover_the_same(p.signal, p.spectrum, 1); ++d) {
    const std::uint64_t stride = p.spectrum.strides[d], signals = p.signal.strides[d];
    if (p.lengths[d] > 1 && stride != signals)
      differs(base::indexed(spectrum + ".strides", d), stride, signals);
  }
  differs(spectrum + ".distance", p.spectrum.distance, p.signal.distance);
}

void set_scales(Problem& p, const Transform& t) {
  const Norm norm = t.norm;
  double n = 1;
  for (std::size_t i = 0; i < p.lengths.size(); ++i) {
    n *= static_cast<double>(logical_length(p.kinds[i], p.lengths[i]));
  }
  p.orthonormal = t.orthogonal.value_or(norm == Norm::ortho);
  if (norm == Norm::backward) p.inverse_scale = 1 / n;
  if (norm == Norm::forward) p.forward_scale = 1 / n;
  if (norm == Norm::ortho) p.forward_scale = p.inverse_scale = 1 / std::sqrt(n);
  if (!t.scale) return;
  check_factor("scale.forward", t.scale->forward, t.precision);
  check_factor("scale.inverse", t.scale->inverse, t.precision);
  p.forward_scale = t.scale->forward, p.inverse_scale = t.scale->inverse;
}

void check_filter(const Transform& t, const Problem& p) {
  for (std::size_t i = 0; i < p.kinds.size(); ++i) {
    if (is_trigonometric(p.kinds[i]))
      base::invalid(t.axes.empty() ? "kind" : base::indexed("axes", i),
                    base::word_of(kKinds, p.kinds[i]),
                    "in a filter it must be complex, real or identity");
  }
}

void set_hooks(Problem& p, const Computation& c) {
  const Transform& t = c.transform;
  if (c.filter) {
    check_filter(t, p);
    check_factor("scale", c.filter_scale, t.precision);
    p.filter = make_filter(c, p);
    p.forward_scale = p.inverse_scale * c.filter_scale;
    check_factor("scale over the number of points", p.forward_scale, t.precision);
  }
  for (const bool inverse : {false, true}) {
    if (!(inverse ? p.has_inverse() : p.has_forward())) continue;
    const Hooks& hooks = inverse ? t.on_inverse : t.on_forward;
    if (!hooks.load.empty()) p.hooked[inverse][false] = make_hooked_end(c, p, inverse, false);
    if (!hooks.store.empty()) p.hooked[inverse][true] = make_hooked_end(c, p, inverse, true);
    p.arguments(inverse);  // checks names
  }
}

}  // namespace

Problem make_problem(const Computation& c) {
  const Transform& t = c.transform;
  check_words(c);
  check_lengths(t);
  Problem p;
  p.kinds = kinds_of(t);
  p.precision = t.precision;
  p.placement = t.placement;
  p.directions = t.directions;
  p.lengths.assign(t.lengths.begin(), t.lengths.end());
  check_kinds(p);
  p.batch = t.batch;
  p.varies = c.varies, p.right_angle = c.right_angle;
  p.signal = make_side(side_request(c, p, false));
  p.spectrum = make_side(side_request(c, p, true));
  if (p.placement == Placement::in_place) check_in_place(p, c);
  set_scales(p, t);
  set_hooks(p, c);
  return p;
}

}  // namespace imago::problem
