// This file is the way of single points between global memory and a kernel's values.
#include "blocks/elements.hpp"

#include "blocks/edges/edge.hpp"
#include "blocks/rearrange.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Memory of complex numbers as pairs; else as numbers one by one.
bool in_pairs(const Frame& f, ir::MemoryId memory) { return f.b.element(memory).lanes == 2; }

/// The index of the element that lies `count` strides behind `base`.
Value element_at(const Frame& f, Value base, Value count, std::uint64_t stride) {
  const ir::Type wide{ir::Base::i64, 1};
  if (f.step.wide_index) count = f.b.convert(count, wide);
  return base + f.b.convert(count * static_cast<std::int64_t>(stride), wide);
}

}  // namespace

Value Input::index(Value base, Value point) const {
  return step_.at_load().numbered ? base : element_at(f_, base, point, step_.in.stride);
}

Cx Input::point(const Point& at, Spread spread, Value condition) const {
  return load_point(*this, at, spread, condition);
}

Cx Input::element(Value index, Spread spread, Value condition) const {
  if (step_.in.elements == plan::Elements::real)
    return {part(f_.in.memory, index, spread, condition),
            b_.real(0, f_.real.with_lanes(spread.width))};
  if (step_.in.elements == plan::Elements::pairs)
    return parts(index, static_cast<std::int64_t>(step_.in.pair_stride), spread, condition);
  if (step_.in.planar)
    return {part(f_.in.memory, index, spread, condition), part(f_.in.im, index, spread, condition)};
  if (!in_pairs(f_, f_.in.memory))
    return parts(index * 2, 1, {spread.width, 2 * spread.apart}, condition);
  const Value pair = part(f_.in.memory, index, spread, condition);
  return {b_.extract(pair, 0), b_.extract(pair, 1)};
}

Cx Input::element_of_line(Value base, Value number, Spread spread, Value condition) const {
  return element(element_at(f_, base, number, step_.in.line_stride()), spread, condition);
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
  return step_.at_store().numbered ? base : element_at(f_, base, point, step_.out.stride);
}

void Output::point(const Point& at, const Cx& x, std::uint64_t apart) const {
  store_point(*this, at, x, apart);
}

void Output::real(Value index, Value x, std::uint64_t apart) const {
  part(f_.out.memory, index, x, apart);
}

Value Output::index_of_line(Value base, Value number) const {
  return element_at(f_, base, number, step_.out.line_stride());
}

void Output::element(Value index, const Cx& x, std::uint64_t apart) const {
  if (step_.out.elements == plan::Elements::real) return part(f_.out.memory, index, x.re, apart);
  if (step_.out.elements == plan::Elements::pairs)
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

Points Input::block(unsigned count, unsigned width, const BlockVectors& vectors) const {
  Vectors block(count);
  for (unsigned v = 0; v < count; ++v)
    block[v] = b_.load(f_.in.memory, start_of(vectors(v)), width);
  block = to_components(block);
  Points points(count / 2);
  for (unsigned p = 0; p < points.size(); ++p) points[p] = {block[2 * p], block[2 * p + 1]};
  return points;
}

void Output::block(const Points& points, const BlockVectors& vectors) const {
  Vectors block;
  for (const Cx& x : points) block.push_back(x.re), block.push_back(x.im);
  block = from_components(block);
  for (unsigned v = 0; v < block.size(); ++v)
    b_.store(f_.out.memory, start_of(vectors(v)), block[v]);
}

Value Input::whole(Value index, Value condition) const {
  return b_.load_if(condition, f_.in.memory, index);
}

void Output::whole(Value index, Value element) const { b_.store(f_.out.memory, index, element); }

}  // namespace imago::blocks
