// This file is the way of single points between global memory and a kernel's values.
#include "blocks/elements.hpp"

#include <numbers>

#include "blocks/rearrange.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Memory of complex numbers as pairs; else as numbers one by one.
bool in_pairs(const Frame& f, ir::MemoryId memory) { return f.b.element(memory).lanes == 2; }

/// Of `count` elements behind `base`.
Value element_at(const Frame& f, Value base, Value count, std::uint64_t stride) {
  const ir::Type wide{ir::Base::i64, 1};
  if (f.step.wide_index) count = f.b.convert(count, wide);
  return base + f.b.convert(count * static_cast<std::int64_t>(stride), wide);
}

Cx negated(const Cx& x) { return {-x.re, -x.im}; }

}  // namespace

Value Input::index(Value base, Value point) const {
  return step_.cosines.load ? base : element_at(f_, base, point, step_.in.stride);
}

bool Input::is_spectrum() const {
  return step_.in.form == plan::Form::half || step_.in.form == plan::Form::folded;
}

Cx Input::point(const Point& at, Spread spread, Value condition) const {
  if (step_.cosines.load) return point_of_cosines(at, spread, condition);
  return is_spectrum() ? point_of_spectrum(at, spread, condition)
                       : element(at.index, spread, condition);
}

Cx Input::element(Value index, Spread spread, Value condition) const {
  if (step_.in.form == plan::Form::real)
    return {part(f_.in.memory, index, spread, condition),
            b_.real(0, f_.real.with_lanes(spread.width))};
  if (step_.in.form == plan::Form::pairs)
    return parts(index, static_cast<std::int64_t>(step_.in.pair_stride), spread, condition);
  if (step_.in.planar)
    return {part(f_.in.memory, index, spread, condition), part(f_.in.im, index, spread, condition)};
  if (!in_pairs(f_, f_.in.memory))
    return parts(index * 2, 1, {spread.width, 2 * spread.apart}, condition);
  const Value pair = part(f_.in.memory, index, spread, condition);
  return {b_.extract(pair, 0), b_.extract(pair, 1)};
}

Cx Input::element_of_line(Value base, Value number, Spread spread, Value condition) const {
  const std::uint64_t stride = step_.in.stride / step_.in.point;
  return element(element_at(f_, base, number, stride), spread, condition);
}

Cx Input::point_of_cosines(const Point& at, Spread spread, Value condition) const {
  const auto load = [&](Value number) {
    return element_of_line(at.index, number, spread, condition);
  };
  const Cx root = at.root.re.valid() ? at.root : root_in(f_, {at.p, 0}, 1);
  return point_of(line_of(f_), at.p, root, load);
}

/// What the imaginary parts of the first and, for an even number of reals, the last element of a
/// half spectrum hold does not matter.
Cx Input::point_of_spectrum(const Point& at, Spread spread, Value condition) const {
  const auto n = static_cast<std::int64_t>(step_.line);
  const Value mirrored = mirrored_index(f_, at.index, at.p);
  const auto is = [&](std::int64_t point) {
    return b_.binary(ir::Op::equal, at.p, b_.integer(point));
  };
  const auto without = [&](Value excluded, const Cx& x) {
    return Cx{x.re, b_.select(excluded, b_.real(0, x.im.type()), x.im)};
  };
  if (step_.in.form == plan::Form::folded) {
    const Value first = is(0);
    const Cx root = at.root.re.valid() ? at.root : root_in(f_, {at.p, 0}, 1);
    return folded(without(first, element(at.index, spread, condition)),
                  without(first, element(mirrored, spread, condition)), root);
  }
  const Value upper = b_.binary(ir::Op::less, b_.integer(n / 2), at.p);
  Cx x = element(b_.select(upper, mirrored, at.index), spread, condition);
  x.im = b_.select(upper, -x.im, x.im);
  x = without(is(0), x);
  return n % 2 == 0 ? without(is(n / 2), x) : x;
}

/// Real and imaginary parts, `between` numbers from each other.
Cx Input::parts(Value at, std::int64_t between, Spread spread, Value condition) const {
  if (spread.width == 1 || between != 1 || spread.apart != 2)
    return {part(f_.in.memory, at, spread, condition),
            part(f_.in.memory, at + between, spread, condition)};
  const Vectors parts =
      to_components({b_.load(f_.in.memory, at, spread.width),
                     b_.load(f_.in.memory, at + std::int64_t{spread.width}, spread.width)});
  return {parts[0], parts[1]};
}

Value Input::part(ir::MemoryId memory, Value at, Spread spread, Value condition) const {
  if (spread.width == 1) return b_.load_if(condition, memory, at);
  if (spread.apart == 1) return b_.load(memory, at, spread.width);
  return b_.load_strided(memory, at, static_cast<std::int64_t>(spread.apart), spread.width);
}

Value Output::index(Value base, Value point) const {
  return step_.cosines.store ? base : element_at(f_, base, point, step_.out.stride);
}

void Output::point(const Point& at, const Cx& x, std::uint64_t apart) const {
  if (step_.cosines.store) return point_of_cosines(at, x, apart);
  const bool half = step_.out.form == plan::Form::half;
  b_.when(half ? at.p < static_cast<std::int64_t>(step_.line / 2 + 1) : Value{},
          [&] { element(at.index, x, apart); });
}

void Output::point_of_cosines(const Point& at, const Cx& value, std::uint64_t apart) const {
  const std::uint64_t stride = step_.out.stride / step_.out.point;
  const Targets targets = targets_of(line_of(f_), at.p);
  const bool extends = step_.cosines.extends(step_.line);
  Cx x = value;
  if (!step_.stores_partners()) {
    const Cx root = at.root.re.valid() ? at.root : root_out(f_, {at.p, 0}, 1);
    if (root.re.valid()) x = x * root;
  }
  if (extends && step_.cosines.sine()) x = {-x.im, x.re};
  x = unless(end_out(line_of(f_), at.p), x, scaled(x, std::numbers::sqrt2 / 2));
  x = unless(targets.negated, x, negated(x));
  const auto place = [&](Value number) { return element_at(f_, at.index, number, stride); };
  if (!targets.second.valid())
    return b_.when(targets.exists, [&] { element(place(targets.first), x, apart); });
  x = scaled(x, 2);
  part(f_.out.memory, place(targets.first), x.re, apart);
  part(f_.out.memory, place(targets.second), step_.cosines.sine() ? x.im : -x.im, apart);
}

void Output::element(Value index, const Cx& x, std::uint64_t apart) const {
  if (step_.out.form == plan::Form::real) return part(f_.out.memory, index, x.re, apart);
  if (step_.out.form == plan::Form::pairs)
    return parts(index, x, static_cast<std::int64_t>(step_.out.pair_stride), apart);
  if (step_.out.planar) {
    part(f_.out.memory, index, x.re, apart);
    return part(f_.out.im, index, x.im, apart);
  }
  if (!in_pairs(f_, f_.out.memory)) return parts(index * 2, x, 1, 2 * apart);
  b_.store(f_.out.memory, index, b_.pair(x.re, x.im));
}

void Output::parts(Value at, const Cx& x, std::int64_t between, std::uint64_t apart) const {
  const unsigned width = x.re.type().lanes;
  if (width == 1 || between != 1 || apart != 2) {
    part(f_.out.memory, at, x.re, apart);
    return part(f_.out.memory, at + between, x.im, apart);
  }
  const Vectors parts = from_components({x.re, x.im});
  b_.store(f_.out.memory, at, parts[0]);
  b_.store(f_.out.memory, at + std::int64_t{width}, parts[1]);
}

void Output::part(ir::MemoryId memory, Value at, Value x, std::uint64_t apart) const {
  if (x.type().lanes == 1 || apart == 1) return b_.store(memory, at, x);
  b_.store_strided(memory, at, x, static_cast<std::int64_t>(apart));
}

// --- blocks of the vector mapping ---------------------------------------------------------------

namespace {

/// In real numbers.
Value start_of(const BlockVector& vector) {
  return vector.element * 2 + static_cast<std::int64_t>(vector.numbers);
}

}  // namespace

bool Input::is_interleaved() const {
  return step_.in.form == plan::Form::complex && !step_.in.planar && !step_.cosines.load;
}

Points Input::block(unsigned count, unsigned width, const BlockVectors& vectors) const {
  Vectors block(count);
  for (unsigned v = 0; v < count; ++v)
    block[v] = b_.load(f_.in.memory, start_of(vectors(v)), width);
  block = to_components(block);
  Points points(count / 2);
  for (unsigned p = 0; p < points.size(); ++p) points[p] = {block[2 * p], block[2 * p + 1]};
  return points;
}

bool Output::is_interleaved() const {
  return step_.out.form == plan::Form::complex && !step_.out.planar && !step_.cosines.store;
}

void Output::block(const Points& points, const BlockVectors& vectors) const {
  Vectors block;
  for (const Cx& x : points) block.push_back(x.re), block.push_back(x.im);
  block = from_components(block);
  for (unsigned v = 0; v < block.size(); ++v)
    b_.store(f_.out.memory, start_of(vectors(v)), block[v]);
}

}  // namespace imago::blocks
