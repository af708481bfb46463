// This file computes the steps of cosine and sine transforms before and after their DFT.
#include "blocks/edges/cosines.hpp"

#include <numbers>
#include <utility>

#include "blocks/edges/half_cosines.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// The numbers of a CosineLine, as integers of the kernel.
struct CosineIndices {
  explicit CosineIndices(const CosineLine& line)
      : b(line.b),
        cosines(line.cosines),
        points(static_cast<std::int64_t>(line.points)),
        n(static_cast<std::int64_t>(cosines.elements)),
        extends(cosines.extends(line.points)),
        half_length(cosines.half_length(line.points)) {}

  Value backwards(Value element) const { return b.integer(n - 1) - element; }
  ir::Condition is(Value p, std::int64_t number) const { return ir::equal(p, b.integer(number)); }

  /// Returns a condition: a point or an element is number 0.
  ir::Condition is_first(Value p) const {
    return b.split(p).second > 0 ? ir::Condition::never() : is(p, 0);
  }

  /// Returns the element of a point: every second element in order, then the others in reverse; for
  /// an extension, all elements in order, then all in reverse.
  Value folded(Value p) const {
    const std::int64_t step = extends ? 1 : 2;
    const std::int64_t before = cosines.kind == Kind::dst1 ? -1 : 0;
    const std::int64_t last = cosines.kind == Kind::dct1   ? 2 * n - 2
                              : cosines.kind == Kind::dst1 ? 2 * n + 1
                                                           : 2 * n - 1;
    const Value own = p * step, backwards = b.integer(last) - own;
    return b.binary(ir::Op::min, own + before, backwards);
  }
  /// Returns the distance of an element from the nearer end of the line.
  Value from_end(Value element) const { return b.binary(ir::Op::min, element, backwards(element)); }
  ir::Condition back(Value p) const { return b.integer((points + 1) / 2 - 1) < p; }

  ir::Builder& b;
  const kernel::Cosines& cosines;
  const std::int64_t points, n;
  const bool extends, half_length;
};

/// A point at load, before its factor: x[first] + i x[second]; both are numbers of elements.
struct Sources {
  Value first, second = {};  ///< second not valid: none
  ir::Condition first_negated = ir::Condition::never();
  ir::Condition first_missing = ir::Condition::never();
  ir::Condition second_missing = ir::Condition::never();
};

Sources extended(const CosineIndices& line, Value p) {
  Sources s{line.folded(p)};
  const bool odd = line.cosines.kind == Kind::dst1 || line.cosines.kind == Kind::dst2 ||
                   line.cosines.kind == Kind::dct4;
  if (odd) s.first_negated = line.back(p);
  if (line.cosines.kind == Kind::dst1) {
    s.first_missing = line.is(line.from_end(s.first), -1);
    s.first = line.b.select(s.first_missing, line.b.integer(0), s.first);
  }
  return s;
}

/// Returns pairs of one line for IV, and a point with its partner for III.
Sources paired(const CosineIndices& line, Value p) {
  const bool half_length = line.half_length;
  const Value near = half_length ? p * 2 : p;
  Value far = half_length ? line.backwards(near) : line.b.integer(line.n) - p;
  Sources s;
  if (!half_length) {
    s.second_missing = line.is_first(p);
    far = line.b.select(s.second_missing, line.b.integer(line.n - 1), far);
  }
  const bool sine = line.cosines.sine();
  s.first = sine ? line.backwards(near) : near;
  s.second = sine ? line.backwards(far) : far;
  return s;
}

Sources sources_of(const CosineIndices& line, Value p) {
  if (line.extends) return extended(line, p);
  if (!line.cosines.is(Kind::dct2, Kind::dst2)) return paired(line, p);
  Sources s{line.folded(p)};
  if (line.cosines.sine()) s.first_negated = line.back(p);
  return s;
}

/// Returns the condition under which Norm::ortho rescales the point's element at the load.
ir::Condition end_in(const CosineIndices& line, Value p) {
  if (!line.cosines.orthonormal) return ir::Condition::never();
  if (line.cosines.is(Kind::dct3, Kind::dst3)) return line.is_first(p);
  if (line.cosines.kind != Kind::dct1) return ir::Condition::never();
  return line.is(line.from_end(line.folded(p)), 0);
}

Cx nothing_like(const Cx& x) {
  const Value zero = x.re.builder().real(0, x.re.type());
  return {zero, zero};
}

/// The element that receives a point after its factor. If there is a second element, the first
/// receives the real part, and the second the negated imaginary part.
struct Targets {
  Value first, second = {};
  ir::Condition negated = ir::Condition::never();
  ir::Condition exists = ir::Condition::always();
};

Targets targets_of(const CosineIndices& line, Value p) {
  const bool sine = line.cosines.sine();
  if (line.extends) {
    const bool later = line.cosines.is(Kind::dst1, Kind::dst2);
    Targets t{later ? p - line.b.integer(1) : p};
    t.exists = p < line.n + (later ? 1 : 0);
    if (later) t.exists = t.exists && line.b.integer(0) < p;
    return t;
  }
  if (line.cosines.is(Kind::dct2, Kind::dst2)) return {sine ? line.backwards(p) : p};
  if (line.half_length) return {p * 2, line.backwards(p * 2)};
  Targets t{line.folded(p)};
  if (sine) t.negated = line.back(p);
  return t;
}

/// Returns the condition under which Norm::ortho rescales the point's element at the store.
ir::Condition end_out(const CosineIndices& line, Value p) {
  if (!line.cosines.orthonormal) return ir::Condition::never();
  if (line.cosines.is(Kind::dct2, Kind::dst2))
    return line.is(p, line.extends && line.cosines.sine() ? line.n : 0);
  if (line.cosines.kind != Kind::dct1) return ir::Condition::never();
  return line.is(line.from_end(p), 0);
}

/// Returns the sum of a point and its partner that DCT-II stores.
Cx joined_by(const Cx& z, const Cx& partner, const Cx& root) {
  const Cx second = partner * Cx{root.re, -root.im}, first = z * root;
  return first + second;
}

}  // namespace

ByNumber own_and_partner(const Cx& own, const Cx& partner) {
  return [own, partner, first = true](Value) mutable {
    return std::exchange(first, false) ? own : partner;
  };
}

Cx point_of(const CosineLine& where, Value p, const Factors& factors, const ByNumber& element) {
  if (is_halved(where)) return halved_point_of(where, p, factors, element);
  const CosineIndices line(where);
  const Sources sources = sources_of(line, p);
  Cx x = element(sources.first);
  const Cx rescaled = settled(scaled(x, std::numbers::sqrt2));
  x = unless(end_in(line, p), x, rescaled);
  x = unless(sources.first_negated, x, negated(x));
  x = unless(sources.first_missing, x, nothing_like(x));
  if (sources.second.valid()) {
    const Cx y = element(sources.second);
    const Cx found = unless(sources.second_missing, y, nothing_like(y));
    x = {x.re - found.im, x.im + found.re};
  }
  return factors.own.re.valid() ? x * factors.own : x;
}

Value its_point(const CosineLine& where, Value element) {
  if (is_halved(where)) return element;
  const CosineIndices line(where);
  if (line.cosines.is(Kind::dct2, Kind::dst2)) return from_its_end(where, element);
  const Value half = element / 2;  // an odd element belongs to the second half, in reverse
  const Value mirrored = line.backwards(half);
  return line.b.select(line.is(element % 2, 0), half, mirrored);
}

Value from_its_end(const CosineLine& where, Value number) {
  const bool backwards = where.cosines.sine() && !is_halved(where);
  return backwards ? CosineIndices(where).backwards(number) : number;
}

Cx element_of(const CosineLine& where, Value element, const Factors& factors,
              const ByNumber& point) {
  if (is_halved(where)) return halved_pair_of(where, element, factors, point);
  const CosineIndices line(where);
  const Value p = its_point(where, element);
  Cx x = point(p);
  if (line.cosines.is(Kind::dct2, Kind::dst2)) {
    const Value mirrored = line.b.integer(line.n) - p;
    const Value partner = line.b.select(line.is_first(p), p, mirrored);
    x = joined_by(x, point(partner), factors.own);
    const Cx rescaled = scaled(x, std::numbers::sqrt2 / 2);
    return unless(end_out(line, p), x, rescaled);
  }
  const ir::Condition odd = line.is(element % 2, 1);
  return line.cosines.sine() ? unless(odd, x, negated(x)) : x;
}

Cx own_element(const CosineLine& line, const Input& input, const Point& at, const Access& access) {
  const auto load = [&](Value number) {
    return input.element_of_line(at.index, number, access.spread, access.condition);
  };
  if (!is_halved(line)) return load(from_its_end(line, at.p));
  const bool joins = input.frame().step.at_load().joins;
  const Reals reals = joins ? partners_at(line, at.p) : parts_of_point(line, at.p);
  return signed_as(reals, {load(reals.first).re, load(reals.second).re});
}

Cx load_point(const kernel::Cosines& edge, const Input& input, const Point& at,
              const Access& access) {
  const Frame& frame = input.frame();
  const CosineLine line{frame.b, edge, frame.step.line};
  const auto pair = [&](Value p) { return own_element(line, input, {at.index, p}, access); };
  const bool joins = frame.step.at_load().joins;
  if (is_halved(line) && !joins) return pair(at.p);
  const Factors factors{at.root.re.valid() ? at.root : root_in(frame, {at.p, 0}, 1),
                        unfolding_in(frame, {at.p, 0}, 1)};
  if (is_halved(line)) return point_of(line, at.p, factors, pair);
  return point_of(line, at.p, factors, [&](Value number) {
    return input.element_of_line(at.index, number, access.spread, access.condition);
  });
}

void store_point(const kernel::Cosines& edge, const Output& output, const Point& at,
                 const Cx& value, const Spread& spread) {
  const Frame& frame = output.frame();
  const CosineLine where{frame.b, edge, frame.step.line};
  const auto place = [&](Value number) { return output.index_of_line(at.index, number); };
  const auto store = [&](Value first, Value second, const Cx& x) {
    output.real(place(first), x.re, spread);
    output.real(place(second), x.im, spread);
  };
  const bool joins = frame.step.at_store().joins;
  if (is_halved(where)) {
    const Reals reals = joins ? partners_at(where, at.p) : parts_of_point(where, at.p);
    const Cx x = joins ? value : Cx{value.re, -value.im};
    return store(reals.first, reals.second, signed_as(reals, x));
  }
  const CosineIndices line(where);
  const Targets targets = targets_of(line, at.p);
  Cx x = value;
  if (!joins) {
    const Cx root = at.root.re.valid() ? at.root : root_out(frame, {at.p, 0}, 1);
    if (root.re.valid()) x = x * root;
  }
  if (line.extends && edge.sine()) x = {-x.im, x.re};
  const Cx rescaled = scaled(x, std::numbers::sqrt2 / 2);
  x = unless(end_out(line, at.p), x, rescaled);
  x = unless(targets.negated, x, negated(x));
  if (!targets.second.valid())
    return frame.b.when(targets.exists, [&] { output.element(place(targets.first), x, spread); });
  x = scaled(x, 2);
  store(targets.first, targets.second, {x.re, edge.sine() ? x.im : -x.im});
}

Cx joined(const kernel::Cosines& edge, const Frame& frame, const Point& at, const Cx& point,
          const Cx& partner) {
  const CosineLine line{frame.b, edge, frame.step.line};
  if (!is_halved(line)) return joined_by(point, partner, at.root);
  const Factors factors{at.root, unfolding_out(frame, {at.p, 0}, 1)};
  return partners_of(line, at.p, point, partner, factors);
}

}  // namespace imago::blocks
