// This file moves single points between global memory and a kernel's values.
#include "blocks/elements.hpp"

#include "blocks/hooks.hpp"
#include "blocks/rearrange.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Returns true if memory holds complex numbers as pairs; else it holds single numbers.
bool in_pairs(const Frame& f, ir::MemoryId memory) { return f.b.element(memory).lanes == 2; }

/// Returns the index of the element `count` strides after `base`.
Value element_at(const Frame& f, Value base, Value count, std::uint64_t stride) {
  const ir::Type wide{ir::Base::i64, 1};
  if (f.step.wide_index) count = f.b.convert(count, wide);
  return base + f.b.convert(count * static_cast<std::int64_t>(stride), wide);
}

}  // namespace

Value nearest_integer(Value x, ir::Base base) {
  ir::Builder& b = x.builder();
  const bool wide = base == ir::Base::i16 || base == ir::Base::u16;
  const bool with_sign = base == ir::Base::i8 || base == ir::Base::i16;
  const double numbers = wide ? 65536 : 256, least = with_sign ? -numbers / 2 : 0;
  const Value zero = b.real(0, x.type());
  const Value most = b.real(least + numbers - 1, x.type());
  Value inside = b.binary(ir::Op::min, b.binary(ir::Op::max, x, zero), most);
  if (with_sign) {
    const Value negative = b.binary(ir::Op::min, x, zero);
    inside = inside + b.binary(ir::Op::max, negative, b.real(least, x.type()));
  }
  return b.convert(b.unary(ir::Op::rint, inside), {ir::Base::i32, x.type().lanes});
}

Value Input::index(Value base, Value point) const {
  return step_.at_load().numbered ? base : element_at(f_, base, point, step_.in.stride);
}

Cx Input::element(Value index, Spread spread, const ir::Condition& condition) const {
  if (step_.in.elements == kernel::Elements::real)
    return settled(
        Cx{real(index, spread, condition), b_.real(0, f_.real.with_lanes(spread.width))});
  if (step_.in.elements == kernel::Elements::pairs) return settled(pair(index, spread, condition));
  if (step_.in.hooked) return settled(load_hooked(*this, {index, spread}, condition));
  return stored(index, spread, condition);
}

Value Input::real(Value index, Spread spread, const ir::Condition& condition) const {
  if (step_.in.hooked) return load_hooked_real(*this, {index, spread}, condition);
  return part(f_.in.memory, index, spread, condition);
}

Value Input::stored_real(Value index, Spread spread, const ir::Condition& condition) const {
  return part(f_.in.memory, index, spread, condition);
}

Cx Input::stored(Value index, Spread spread, const ir::Condition& condition) const {
  if (step_.in.planar)
    return {part(f_.in.memory, index, spread, condition), part(f_.in.im, index, spread, condition)};
  if (!in_pairs(f_, f_.in.memory))
    return parts(index * 2, 1, {spread.width, 2 * spread.apart}, condition);
  const Value pair = part(f_.in.memory, index, spread, condition);
  return {b_.extract(pair, 0), b_.extract(pair, 1)};
}

Cx Input::element_of_line(Value base, Value number, Spread spread,
                          const ir::Condition& condition) const {
  return element(element_at(f_, base, number, step_.in.line_stride()), spread, condition);
}

/// Loads two real numbers.
Cx Input::pair(Value at, Spread spread, const ir::Condition& condition) const {
  const auto between = static_cast<std::int64_t>(step_.in.pair_stride);
  if (!step_.in.hooked) return parts(at, between, spread, condition);
  if (spread.width == 1 || between != 1 || spread.apart != 2)
    return {real(at, spread, condition), real(at + between, spread, condition)};
  const Spread neighbours{spread.width, 1, spread.along_line};
  const Vectors parts =
      to_components({real(at, neighbours, condition),
                     real(at + std::int64_t{spread.width}, neighbours, condition)});
  return {parts[0], parts[1]};
}

/// Loads the real and imaginary parts, which are `between` numbers apart.
Cx Input::parts(Value at, std::int64_t between, Spread spread,
                const ir::Condition& condition) const {
  if (spread.width == 1 || between != 1 || spread.apart != 2)
    return {part(f_.in.memory, at, spread, condition),
            part(f_.in.memory, at + between, spread, condition)};
  const Spread neighbours{spread.width, 1};
  const Vectors parts =
      to_components({part(f_.in.memory, at, neighbours, condition),
                     part(f_.in.memory, at + std::int64_t{spread.width}, neighbours, condition)});
  return {parts[0], parts[1]};
}

Value Input::part(ir::MemoryId memory, Value at, Spread spread,
                  const ir::Condition& condition) const {
  const auto apart = static_cast<std::int64_t>(spread.apart);
  const Value loaded = gathered(b_, memory, at, apart, spread.width, condition);
  const ir::Type type = loaded.type();
  return type.is_int() ? b_.convert(loaded, f_.real.with_lanes(type.lanes)) : loaded;
}

Value Output::index(Value base, Value point) const {
  return step_.at_store().numbered ? base : element_at(f_, base, point, step_.out.stride);
}

void Output::real(Value index, Value x, const Spread& spread) const {
  if (step_.out.hooked) return store_hooked_real(*this, {index, spread}, x);
  part(f_.out.memory, index, x, spread.apart);
}

void Output::load_summand(Value index, bool real, const Spread& spread,
                          const ir::Condition& condition) const {
  const auto load = [&](ir::MemoryId memory, Value at) {
    const auto apart = static_cast<std::int64_t>(spread.apart);
    f_.early.emplace(std::pair{memory.index, at.id()},
                     gathered(b_, memory, at, apart, spread.width, condition));
  };
  const bool whole = real || step_.out.planar || in_pairs(f_, f_.out.memory);
  load(f_.out.memory, whole ? index : index * 2);
  if (!whole) load(f_.out.memory, index * 2 + 1);
  if (!real && step_.out.planar) load(f_.out.im, index);
}

void Output::store_real(Value index, Value x, std::uint64_t apart) const {
  part(f_.out.memory, index, x, apart);
}

Value Output::index_of_line(Value base, Value number) const {
  return element_at(f_, base, number, step_.out.line_stride());
}

void Output::element(Value index, const Cx& x, const Spread& spread) const {
  if (step_.out.elements == kernel::Elements::real) return real(index, x.re, spread);
  if (step_.out.elements == kernel::Elements::pairs) return pair(index, x, spread);
  if (step_.out.hooked) return store_hooked(*this, {index, spread}, x);
  store(index, x, spread.apart);
}

void Output::store(Value index, const Cx& x, std::uint64_t apart) const {
  if (step_.out.planar) {
    part(f_.out.memory, index, x.re, apart);
    return part(f_.out.im, index, x.im, apart);
  }
  if (!in_pairs(f_, f_.out.memory)) return parts(index * 2, x, 1, 2 * apart);
  part(f_.out.memory, index, b_.pair(x.re, x.im), apart);
}

/// Half precision, integers and pairs of floats are moved one by one.
bool Output::joins_pairs() const {
  const kernel::Side& side = step_.out;
  return step_.interleaved() && !step_.pairs && side.elements == kernel::Elements::pairs &&
         side.pair_stride == kNeighbours.apart && b_.element(f_.out.memory) == f_.real &&
         !(side.hooked && side.hooked->calls_lanes());
}

/// Stores two real numbers.
void Output::pair(Value at, const Cx& x, const Spread& spread) const {
  if (joins_pairs()) return real(at, b_.pair(x.re, x.im), kNeighbours);
  const auto between = static_cast<std::int64_t>(step_.out.pair_stride);
  if (!step_.out.hooked) return parts(at, x, between, spread.apart);
  if (spread.width == 1 || between != 1 || spread.apart != 2) {
    real(at, x.re, spread);
    return real(at + between, x.im, spread);
  }
  const Spread neighbours{spread.width, 1, spread.along_line};
  const Vectors parts = from_components({x.re, x.im});
  real(at, parts[0], neighbours);
  real(at + std::int64_t{spread.width}, parts[1], neighbours);
}

void Output::parts(Value at, const Cx& x, std::int64_t between, std::uint64_t apart) const {
  const unsigned width = x.re.type().lanes;
  if (width == 1 || between != 1 || apart != 2) {
    part(f_.out.memory, at, x.re, apart);
    return part(f_.out.memory, at + between, x.im, apart);
  }
  const Vectors parts = from_components({x.re, x.im});
  part(f_.out.memory, at, parts[0], 1);
  part(f_.out.memory, at + std::int64_t{width}, parts[1], 1);
}

/// Returns the numbers of a reproducible plan without negative zeros. Their signs, the only bits
/// that negations and products with constants decide, depend on the kernel's layout.
Value Output::as_written(Value x) const {
  if (!step_.reproducible) return x;
  return b_.fma(x, b_.real(1, x.type()), b_.real(0, x.type()));
}

void Output::part(ir::MemoryId memory, Value at, Value x, std::uint64_t apart) const {
  const ir::Type element = b_.element(memory);
  if (step_.out.hooked && step_.out.hooked->accumulates()) {
    const auto early = f_.early.find({memory.index, at.id()});
    x = settled(x) + (early != f_.early.end()
                          ? early->second
                          : gathered(b_, memory, at, static_cast<std::int64_t>(apart),
                                     x.type().lanes / element.lanes, ir::Condition::always()));
  }
  x = as_written(x);
  if (ir::is_short(element.base)) x = nearest_integer(x, element.base);
  if (x.type().lanes == element.lanes || apart == 1) return b_.store(memory, at, x);
  b_.store_strided(memory, at, x, static_cast<std::int64_t>(apart));
}

// --- blocks of the vector mapping ---------------------------------------------------------------

namespace {

/// Returns the start in real numbers.
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
    b_.store(f_.out.memory, start_of(vectors(v)), as_written(block[v]));
}

Value Input::whole(Value index, const ir::Condition& condition) const {
  return b_.load_if(condition, f_.in.memory, index);
}

void Output::whole(Value index, Value element) const {
  b_.store(f_.out.memory, index, as_written(element));
}

}  // namespace imago::blocks
