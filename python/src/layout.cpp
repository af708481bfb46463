// This file creates a Problem from two host arrays and a Wish, and a Transform from the Problem.
#include "layout.hpp"

#include <algorithm>
#include <bit>

#include <imago/error.hpp>

namespace imago::python {
namespace {

/// Returns the entries along an axis: n/2+1 for a half spectrum.
std::size_t entries(const Dimension& d, bool spectrum) {
  return d.kind == Kind::real && spectrum ? d.length / 2 + 1 : d.length;
}

bool fits(const View& array) {
  const auto bytes = static_cast<Py_ssize_t>(array.element_bytes());
  for (std::size_t i = 0; i < array.extents.size(); ++i) {
    const Py_ssize_t stride = array.strides[i];
    if (array.extents[i] > 1 && (stride < 0 || stride % bytes != 0)) return false;
  }
  return array.aligned;
}

/// Returns true for a dimension of length 1 without a transform.
bool trivial(const Dimension& d) {
  return d.length == 1 && d.held == 1 && (d.kind == Kind::identity || d.kind == Kind::complex);
}

/// Returns true if both are batch axes and can be merged into one.
bool joins(const Dimension& slow, const Dimension& fast) {
  return slow.kind == Kind::identity && fast.kind == Kind::identity &&
         slow.from_stride == fast.from_stride * fast.length &&
         slow.to_stride == fast.to_stride * fast.length;
}

void add(std::vector<Dimension>& dimensions, const Dimension& d) {
  if (trivial(d)) return;
  if (!dimensions.empty() && joins(dimensions.back(), d)) {
    Dimension& last = dimensions.back();
    last.length *= d.length;
    last.held = last.length;
    last.from_stride = d.from_stride;
    last.to_stride = d.to_stride;
    return;
  }
  dimensions.push_back(d);
}

template <class Stride>
std::size_t bytes_between(const Problem& p, bool read, Stride stride, std::size_t element) {
  std::size_t last = 0;
  for (const Dimension& d : p.dimensions) {
    const std::size_t whole = entries(d, read == p.inverse);
    const std::size_t count = read ? std::min(d.held, whole) : whole;
    last += (count - 1) * (d.*stride);
  }
  return (last + 1) * element;
}

std::size_t element_bytes(bool doubles, bool complex) {
  return (doubles ? sizeof(double) : sizeof(float)) * (complex ? 2 : 1);
}

}  // namespace

std::optional<Problem> problem_of(const View& from, const View& to, const Wish& wish) {
  if (from.extents.size() != wish.kinds.size() || to.extents.size() != wish.kinds.size() ||
      wish.lengths.size() != wish.kinds.size())
    throw InvalidArgument("kinds has " + std::to_string(wish.kinds.size()) +
                          " entries; it needs one for each dimension of both arrays");
  if (from.doubles != to.doubles)
    throw InvalidArgument("the arrays differ in precision; both must be single or both double");
  if (!fits(from) || !fits(to)) return {};

  Problem p;
  p.doubles = from.doubles;
  p.from_complex = from.complex;
  p.to_complex = to.complex;
  p.inverse = wish.inverse;
  p.orthogonal = wish.orthogonal;
  p.conjugate = wish.conjugate;
  p.in_place = wish.in_place;
  p.scale = wish.scale;
  const bool fourier = std::any_of(wish.kinds.begin(), wish.kinds.end(), [](Kind kind) {
    return kind == Kind::complex || kind == Kind::real;
  });
  // Cosine and sine transforms act on real numbers. Without Fourier axes, the parts of complex
  // numbers therefore become a dimension.
  const bool parts = !fourier && from.complex;
  if (!fourier && from.complex != to.complex)
    throw InvalidArgument("the arrays differ in type; both must be real or both complex");
  const std::size_t unit = parts ? 2 : 1;
  for (std::size_t i = 0; i < wish.kinds.size(); ++i) {
    const auto stride = [&](const View& array) {
      return static_cast<std::size_t>(array.strides[i]) / array.element_bytes() * unit;
    };
    const Dimension d{wish.kinds[i], wish.lengths[i], static_cast<std::size_t>(from.extents[i]),
                      from.extents[i] > 1 ? stride(from) : unit,
                      to.extents[i] > 1 ? stride(to) : unit};
    if (static_cast<std::size_t>(to.extents[i]) != entries(d, !wish.inverse) || d.held == 0)
      throw InvalidArgument("the result has " + std::to_string(to.extents[i]) +
                            " elements along axis " + std::to_string(i) + "; it needs " +
                            std::to_string(entries(d, !wish.inverse)));
    add(p.dimensions, d);
  }
  if (parts) {
    p.from_complex = p.to_complex = false;
    add(p.dimensions, {Kind::identity, 2, 2, 1, 1});
  }
  if (p.dimensions.empty()) p.dimensions.push_back({Kind::complex, 1, 1, 1, 1});
  return p;
}

std::string Problem::key() const {
  std::vector<std::uint64_t> words;
  words.reserve(2 + 5 * dimensions.size());
  words.push_back(doubles | from_complex << 1 | to_complex << 2 | inverse << 3 | orthogonal << 4 |
                  conjugate << 5 | in_place << 6);
  words.push_back(std::bit_cast<std::uint64_t>(scale));
  for (const Dimension& d : dimensions) {
    words.insert(words.end(), {static_cast<std::uint64_t>(d.kind), d.length, d.held, d.from_stride,
                               d.to_stride});
  }
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0])};
}

Transform Problem::transform() const {
  Transform t;
  t.precision = doubles ? Precision::f64 : Precision::f32;
  t.directions = inverse ? Directions::inverse : Directions::forward;
  t.scale = Scale{scale, scale};
  t.orthogonal = orthogonal;
  if (in_place) t.placement = Placement::in_place;
  Layout from, to;
  // The first dimension becomes the batch if possible; a distance cannot be 0.
  const Dimension& first = dimensions.front();
  const bool batched =
      dimensions.size() > 1 && first.kind == Kind::identity && first.from_stride != 0;
  if (batched) {
    t.batch = first.length;
    from.distance = first.from_stride;
    to.distance = first.to_stride;
  }
  Hooks hooks;
  for (std::size_t i = batched ? 1 : 0; i < dimensions.size(); ++i) {
    const Dimension& d = dimensions[i];
    const std::size_t axis = t.lengths.size();
    t.axes.push_back(d.kind);
    t.lengths.push_back(d.length);
    from.strides.push_back(d.from_stride);
    to.strides.push_back(d.to_stride);
    if (d.held < entries(d, inverse)) hooks.load.push_back(hook::zero_outside(axis, 0, d.held));
  }
  const bool real = std::count(t.axes.begin(), t.axes.end(), Kind::real) == 1;
  if (conjugate) (inverse ? hooks.load : hooks.store).push_back(hook::conjugate());
  (inverse ? t.on_inverse : t.on_forward) = hooks;
  if (!real && from_complex != to_complex) (from_complex ? to : from).storage = Storage::real;
  (inverse ? t.spectrum : t.signal) = from;
  (inverse ? t.signal : t.spectrum) = to;
  return t;
}

std::size_t Problem::from_bytes() const {
  return bytes_between(*this, true, &Dimension::from_stride, from_element_bytes());
}

std::size_t Problem::to_bytes() const {
  return bytes_between(*this, false, &Dimension::to_stride, to_element_bytes());
}

std::size_t Problem::from_element_bytes() const { return element_bytes(doubles, from_complex); }

std::size_t Problem::to_element_bytes() const { return element_bytes(doubles, to_complex); }

}  // namespace imago::python
