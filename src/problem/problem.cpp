// This file checks a Transform and fills in its defaults.
#include "problem/problem.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/errors.hpp"
#include "base/integers.hpp"

namespace imago::problem {
namespace {

// Offsets and distances are `long` in a kernel, so addresses stay below 2^63 bytes.
constexpr std::uint64_t kMostBytes = std::numeric_limits<std::int64_t>::max();
// The batch is an `int` argument of every kernel.
constexpr std::uint64_t kMostBatch = std::numeric_limits<std::int32_t>::max();

std::string indexed(std::string_view name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

void check_kinds(const Transform& t) {
  if (!t.axes.empty() && t.axes.size() != t.lengths.size()) {
    base::invalid("the size of axes", t.axes.size(), "give one kind per length, or none");
  }
  bool complex = t.axes.empty() ? t.kind == Kind::complex : true;
  for (const Kind kind : t.axes) complex = complex && kind == Kind::complex;
  if (!complex) base::unsupported("only complex axes can be transformed yet", "use Kind::complex");
}

void check_lengths(const Transform& t) {
  if (t.lengths.empty()) base::invalid("the size of lengths", 0, "give one length per dimension");
  for (std::size_t i = 0; i < t.lengths.size(); ++i) {
    if (t.lengths[i] == 0) base::invalid(indexed("lengths", i), 0, "at least 1");
  }
  if (t.batch == 0) base::invalid("batch", 0, "at least 1");
  std::optional<std::uint64_t> points = t.batch;
  for (const std::size_t length : t.lengths) {
    points = base::checked_multiply(*points, length);
    if (!points || *points > kMostBytes / sizeof(double)) {
      base::invalid("batch", t.batch, "batch x lengths overflows 64-bit addresses");
    }
  }
}

void check_strides(const Transform& t, const Layout& layout, const std::string& name) {
  if (!layout.strides.empty() && layout.strides.size() != t.lengths.size()) {
    base::invalid("the size of " + name + ".strides", layout.strides.size(),
                  "give one stride per length, or none");
  }
  for (std::size_t i = 0; i < layout.strides.size(); ++i) {
    if (layout.strides[i] == 0) base::invalid(indexed(name + ".strides", i), 0, "at least 1");
  }
  if (layout.distance == 0 && !layout.strides.empty() && t.batch > 1) {
    base::invalid(name + ".distance", 0,
                  "with strides and a batch, give the distance of its members");
  }
}

void check_supported(const Transform& t) {
  if (t.precision == Precision::f16) {
    base::unsupported("half precision is not implemented yet", "use Precision::f32 or f64");
  }
  if (t.lengths.size() != 1) {
    base::unsupported(
        "transforms of " + std::to_string(t.lengths.size()) + " dimensions are not implemented yet",
        "transform one dimension at a time");
  }
  for (const Layout* layout : {&t.signal, &t.spectrum}) {
    if (layout->storage == Storage::planar) {
      base::unsupported("planar storage is not implemented yet", "use Storage::interleaved");
    }
    if (!layout->strides.empty() && layout->strides[0] != 1 && t.lengths[0] > 1) {
      base::unsupported("a stride of " + std::to_string(layout->strides[0]) +
                            " inside a transform is not implemented yet",
                        "use stride 1");
    }
  }
  if (t.batch > kMostBatch) {
    base::unsupported("a batch of " + std::to_string(t.batch) + " is above 2^31-1",
                      "split it over several calls");
  }
}

Side make_side(const Transform& t, const Layout& layout, const std::string& name, bool written) {
  const std::uint64_t length = t.lengths[0];
  Side side;
  side.offset = layout.offset;
  side.distance = layout.distance != 0 && t.batch > 1 ? layout.distance : length;
  if (written && side.distance < length) {
    base::invalid(name + ".distance", side.distance,
                  "results would overlap; at least the length, " + std::to_string(length));
  }
  const auto last = base::checked_multiply(t.batch - 1, side.distance);
  const auto packed = last ? base::checked_add(*last, length) : std::nullopt;
  const auto end = packed ? base::checked_add(*packed, side.offset) : std::nullopt;
  const std::uint64_t element = t.precision == Precision::f64 ? 16 : 8;
  if (!end || *end > kMostBytes / element) {
    base::invalid("batch", t.batch,
                  "offset + batch x distance of the " + name + " overflows 64-bit addresses");
  }
  side.end = *end;
  return side;
}

void check_in_place(const Side& signal, const Side& spectrum) {
  if (signal.offset != spectrum.offset) {
    base::invalid("spectrum.offset", spectrum.offset,
                  "in place it must be the signal's, " + std::to_string(signal.offset));
  }
  if (signal.distance != spectrum.distance) {
    base::invalid("spectrum.distance", spectrum.distance,
                  "in place it must be the signal's, " + std::to_string(signal.distance));
  }
}

void set_scales(Problem& p, Norm norm) {
  const auto n = static_cast<double>(p.length);
  if (norm == Norm::backward) p.inverse_scale = 1 / n;
  if (norm == Norm::forward) p.forward_scale = 1 / n;
  if (norm == Norm::ortho) p.forward_scale = p.inverse_scale = 1 / std::sqrt(n);
}

}  // namespace

std::size_t Problem::element_bytes() const { return precision == Precision::f64 ? 16 : 8; }

std::string Problem::key() const {
  return "complex-" + std::to_string(length) + (precision == Precision::f64 ? "-f64" : "-f32") +
         (placement == Placement::in_place ? "-in_place" : "-out_of_place");
}

Problem make_problem(const Transform& t) {
  check_lengths(t);
  check_kinds(t);
  check_strides(t, t.signal, "signal");
  check_strides(t, t.spectrum, "spectrum");
  check_supported(t);
  Problem p;
  p.precision = t.precision;
  p.placement = t.placement;
  p.directions = t.directions;
  p.length = t.lengths[0];
  p.batch = t.batch;
  const bool in_place = t.placement == Placement::in_place;
  p.signal = make_side(t, t.signal, "signal", in_place || p.has_inverse());
  p.spectrum = make_side(t, t.spectrum, "spectrum", in_place || p.has_forward());
  if (in_place) check_in_place(p.signal, p.spectrum);
  set_scales(p, t.norm);
  return p;
}

}  // namespace imago::problem
