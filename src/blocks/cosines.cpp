// This file holds the steps of cosine and sine transforms before and after their DFT.
#include "blocks/cosines.hpp"

#include <numbers>
#include <utility>

#include "base/roots.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Its numbers, where they are integers of the kernel.
struct Line {
  explicit Line(const CosineLine& line)
      : b(line.b),
        cosines(line.cosines),
        points(static_cast<std::int64_t>(line.points)),
        n(static_cast<std::int64_t>(cosines.elements)),
        extends(cosines.extends(line.points)),
        quarters(cosines.quarters(line.points)) {}

  Value backwards(Value element) const { return b.integer(n - 1) - element; }
  Value is(Value p, std::int64_t number) const {
    return b.binary(ir::Op::equal, p, b.integer(number));
  }

  /// Whether a point or an element is number 0.
  Value is_first(Value p) const { return b.split(p).second > 0 ? b.never() : is(p, 0); }

  /// Every second element forth and the others back; of an extension, all forth and all back.
  Value folded(Value p) const {
    const std::int64_t step = extends ? 1 : 2;
    const std::int64_t before = cosines.kind == Kind::dst1 ? -1 : 0;
    const std::int64_t last = cosines.kind == Kind::dct1   ? 2 * n - 2
                              : cosines.kind == Kind::dst1 ? 2 * n + 1
                                                           : 2 * n - 1;
    return b.binary(ir::Op::min, p * step + before, b.integer(last) - p * step);
  }
  /// Of elements: how far the nearer end is.
  Value from_end(Value element) const { return b.binary(ir::Op::min, element, backwards(element)); }
  Value back(Value p) const { return b.binary(ir::Op::less, b.integer((points + 1) / 2 - 1), p); }

  ir::Builder& b;
  const plan::Cosines& cosines;
  const std::int64_t points, n;
  const bool extends, quarters;
};

/// A point at load, before its factor: x[first] + i x[second], by numbers of elements.
struct Sources {
  Value first, second = {};  ///< second not valid: there is none
  Condition first_negated = {}, first_missing = {}, second_missing = {};
};

Sources extended(const Line& line, Value p) {
  Sources s{line.folded(p)};
  const bool odd = line.cosines.kind == Kind::dst1 || line.cosines.kind == Kind::dst2 ||
                   line.cosines.kind == Kind::dct4;
  if (odd) s.first_negated = line.back(p);
  if (line.cosines.kind == Kind::dst1) {
    s.first_missing = line.is(line.from_end(s.first), -1);
    s.first = line.b.select(*s.first_missing, line.b.integer(0), s.first);
  }
  return s;
}

/// Pairs of one line for IV, of a point and its mirror image for III.
Sources paired(const Line& line, Value p) {
  const bool quarters = line.quarters;
  const Value near = quarters ? p * 2 : p;
  Value far = quarters ? line.backwards(near) : line.b.integer(line.n) - p;
  Sources s;
  if (!quarters) {
    s.second_missing = line.is_first(p);
    far = line.b.select(*s.second_missing, line.b.integer(line.n - 1), far);
  }
  const bool sine = line.cosines.sine();
  s.first = sine ? line.backwards(near) : near;
  s.second = sine ? line.backwards(far) : far;
  return s;
}

Cx root(const Frame& frame, const plan::Roots& roots, std::size_t offset, const Index& p,
        unsigned lanes) {
  if (roots.order == 0) return {};
  ir::Builder& b = frame.b;
  if (const auto at = b.constant_integer(p.base); at && p.step == 0) {
    const auto exact = base::root_of_unity(
        static_cast<std::uint64_t>(*at) * roots.multiple + roots.shift, roots.order);
    return {b.real(exact.real(), frame.real), b.real(exact.imag(), frame.real)};
  }
  if (frame.step.mapping() == Mapping::work_group) {
    const Index multiple{b.integer(roots.multiple), 0};
    const Value phase = phase_product(p, multiple, roots.order, lanes) + roots.shift;
    return polynomial_root(phase, roots.order, frame.real);
  }
  const unsigned loaded = p.step == 0 ? 1 : lanes;
  const auto entries = static_cast<std::int64_t>(frame.step.line + 1);
  const Value at = p.base + static_cast<std::int64_t>(offset);
  return {b.load(frame.table, at, loaded), b.load(frame.table, at + entries, loaded)};
}

Sources sources_of(const Line& line, Value p) {
  if (line.extends) return extended(line, p);
  if (!line.cosines.is(Kind::dct2, Kind::dst2)) return paired(line, p);
  Sources s{line.folded(p)};
  if (line.cosines.sine()) s.first_negated = line.back(p);
  return s;
}

/// Whether the point's element is one that Norm::ortho rescales at the load.
Condition end_in(const Line& line, Value p) {
  if (!line.cosines.orthonormal) return {};
  if (line.cosines.is(Kind::dct3, Kind::dst3)) return line.is_first(p);
  if (line.cosines.kind != Kind::dct1) return {};
  return line.is(line.from_end(line.folded(p)), 0);
}

Cx negated(const Cx& x) { return {-x.re, -x.im}; }

Cx nothing_like(const Cx& x) {
  const Value zero = x.re.builder().real(0, x.re.type());
  return {zero, zero};
}

/// The sum of a point and its mirror image that DCT-II stores.
Cx images_joined(const Cx& z, const Cx& image, const Cx& root) {
  return z * root + image * Cx{root.re, -root.im};
}

}  // namespace

CosineLine line_of(const Frame& frame) { return {frame.b, frame.step.cosines, frame.step.line}; }

ByNumber own_and_image(const Cx& own, const Cx& image) {
  return [own, image, first = true](Value) mutable {
    return std::exchange(first, false) ? own : image;
  };
}

Cx point_of(const CosineLine& where, Value p, const Cx& root, const ByNumber& element) {
  const Line line(where);
  const Sources sources = sources_of(line, p);
  Cx x = element(sources.first);
  x = unless(end_in(line, p), x, scaled(x, std::numbers::sqrt2));
  x = unless(sources.first_negated, x, negated(x));
  x = unless(sources.first_missing, x, nothing_like(x));
  if (sources.second.valid()) {
    const Cx y = element(sources.second);
    const Cx found = unless(sources.second_missing, y, nothing_like(y));
    x = {x.re - found.im, x.im + found.re};
  }
  return root.re.valid() ? x * root : x;
}

Value its_point(const CosineLine& where, Value element) {
  const Line line(where);
  if (line.cosines.is(Kind::dct2, Kind::dst2)) return from_its_end(where, element);
  const Value half = element / 2;  // an odd one is of the second half, backwards
  return line.b.select(line.is(element % 2, 0), half, line.backwards(half));
}

Value from_its_end(const CosineLine& where, Value number) {
  return where.cosines.sine() ? Line(where).backwards(number) : number;
}

Cx element_of(const CosineLine& where, Value element, const Cx& root, const ByNumber& point) {
  const Line line(where);
  const Value p = its_point(where, element);
  Cx x = point(p);
  if (line.cosines.is(Kind::dct2, Kind::dst2)) {
    const Value image = line.b.select(line.is_first(p), p, line.b.integer(line.n) - p);
    x = images_joined(x, point(image), root);
    return unless(end_out(where, p), x, scaled(x, std::numbers::sqrt2 / 2));
  }
  const Condition odd = line.is(element % 2, 1);
  return line.cosines.sine() ? unless(odd, x, negated(x)) : x;
}

Targets targets_of(const CosineLine& where, Value p) {
  const Line line(where);
  const bool sine = line.cosines.sine();
  if (line.extends) {
    const bool later = line.cosines.is(Kind::dst1, Kind::dst2);
    Targets t{later ? p - line.b.integer(1) : p};
    t.exists = p < line.n + (later ? 1 : 0);
    if (later) t.exists = t.exists && line.b.binary(ir::Op::less, line.b.integer(0), p);
    return t;
  }
  if (line.cosines.is(Kind::dct2, Kind::dst2)) return {sine ? line.backwards(p) : p};
  if (line.quarters) return {p * 2, line.backwards(p * 2)};
  Targets t{line.folded(p)};
  if (sine) t.negated = line.back(p);
  return t;
}

Condition end_out(const CosineLine& where, Value p) {
  const Line line(where);
  if (!line.cosines.orthonormal) return {};
  if (line.cosines.is(Kind::dct2, Kind::dst2))
    return line.is(p, line.extends && line.cosines.sine() ? line.n : 0);
  if (line.cosines.kind != Kind::dct1) return {};
  return line.is(line.from_end(p), 0);
}

Cx root_in(const Frame& frame, const Index& p, unsigned lanes) {
  return root(frame, frame.step.roots_in(), frame.step.in.roots, p, lanes);
}

Cx root_out(const Frame& frame, const Index& p, unsigned lanes) {
  return root(frame, frame.step.roots_out(), frame.step.out.roots, p, lanes);
}

Cx root_at(const Frame& frame, const plan::Roots& roots, Value p) {
  if (roots.order == 0) return {};
  const auto [variable, offset] = frame.b.split(p);
  const auto order = static_cast<std::int64_t>(roots.order);
  const std::int64_t turns = (offset * roots.multiple % order + order) % order;
  return rotated(root(frame, roots, 0, {variable, 0}, 1), static_cast<unsigned>(turns),
                 static_cast<unsigned>(order));
}

Cx of_images(const Frame& frame, const Cx& z, const Cx& image, const Cx& root) {
  if (frame.step.out.form == plan::Form::folded) return unfolded(z, image, root);
  return images_joined(z, image, root);
}

Cx unless(const Condition& condition, const Cx& value, const Cx& other) {
  if (!condition) return value;
  ir::Builder& b = value.re.builder();
  return {b.select(*condition, other.re, value.re), b.select(*condition, other.im, value.im)};
}

}  // namespace imago::blocks
