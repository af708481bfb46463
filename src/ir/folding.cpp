// This file folds values as they are appended, by their known properties.
#include "ir/folding.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/integers.hpp"

namespace imago::ir {
namespace {

Value plain(Recorder& recorder, Op op, Value a, Value b, Type type) {
  return recorder.pure({.op = op, .type = type, .args = {a.id(), b.id(), kNone}});
}

/// Returns the largest value of a result, if it is known.
std::optional<std::int64_t> bound_of(const Recorder& recorder, Op op, Value a, Value b) {
  const auto x = recorder.largest(a), y = recorder.largest(b);
  switch (op) {
    case Op::add:
      return x && y ? std::optional(*x + *y) : std::nullopt;
    case Op::mul:
      return x && y ? std::optional(*x * *y) : std::nullopt;
    case Op::div:
      return x && recorder.constant_integer(b) ? std::optional(*x / *recorder.constant_integer(b))
                                               : std::nullopt;
    case Op::mod:
      return recorder.constant_integer(b) ? std::optional(*recorder.constant_integer(b) - 1)
                                          : std::nullopt;
    case Op::min:
      return x && y ? std::optional(std::min(*x, *y)) : (x ? x : y);
    case Op::sub:
      return x && recorder.constant_integer(b) ? std::optional(*x - *recorder.constant_integer(b))
                                               : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<Value> minimum(Recorder& recorder, Value a, Value b) {
  const auto x = recorder.constant_integer(a), y = recorder.constant_integer(b);
  if (!y) return {};
  if (x) return recorder.integer(std::min(*x, *y), a.type());
  const auto bound = recorder.largest(a);
  return bound && *bound <= *y ? std::optional(a) : std::nullopt;
}

/// Returns Op::div or Op::mod by a power of two.
Value division_by_bits(Recorder& recorder, Op op, Value a, std::uint64_t divisor) {
  const auto bits = std::countr_zero(divisor);
  if (op == Op::div)
    return plain(recorder, Op::shift_right, a, recorder.integer(bits, a.type()), a.type());
  const auto mask = static_cast<std::int64_t>(divisor) - 1;
  return plain(recorder, Op::bit_and, a, recorder.integer(mask, a.type()), a.type());
}

}  // namespace

Value Folding::splat(Value scalar, unsigned lanes) {
  if (scalar.type().lanes == lanes) return scalar;
  const Type type = scalar.type().with_lanes(lanes);
  if (const auto c = recorder_.constant_real(scalar)) return recorder_.real(*c, type);
  if (const auto c = recorder_.constant_integer(scalar)) return recorder_.integer(*c, type);
  return recorder_.pure({.op = Op::splat, .type = type, .args = {scalar.id(), kNone, kNone}});
}

Value Folding::convert(Value value, Type type) {
  if (value.type() == type) return value;
  if (value.type().is_int() && type.is_int()) {
    if (const auto c = recorder_.constant_integer(value)) return recorder_.integer(*c, type);
    const auto [variable, offset] = recorder_.split(value);
    if (offset != 0) return with_offset(convert(variable, type), offset);
  }
  const Value result =
      recorder_.pure({.op = Op::convert, .type = type, .args = {value.id(), kNone, kNone}});
  if (const auto bound = recorder_.largest(value); bound && type.is_int())
    recorder_.set_largest(result, *bound);
  return result;
}

void Folding::match(Value& a, Value& b) {
  const unsigned lanes = std::max(a.type().lanes, b.type().lanes);
  a = splat(a, lanes);
  b = splat(b, lanes);
  if (a.type().base == b.type().base) return;
  if (a.type().base == Base::i32 && b.type().base == Base::i64) a = convert(a, b.type());
  if (a.type().base == Base::i64 && b.type().base == Base::i32) b = convert(b, a.type());
}

Value Folding::with_offset(Value value, std::int64_t offset) {
  if (offset == 0) return value;
  const Value result =
      plain(recorder_, Op::add, value, recorder_.integer(offset, value.type()), value.type());
  if (const auto bound = recorder_.largest(value)) recorder_.set_largest(result, *bound + offset);
  return result;
}

/// Returns a / divisor as (a * factor) >> bits, exact from 0 to a's bound (Granlund and Montgomery,
/// PLDI 1994, theorem 4.2: factor * divisor - 2^bits, times the bound, stays below 2^bits).
///
/// The reason is not speed, which compilers handle themselves. PoCL 5.0 treats a remainder whose
/// quotient is also used as uniform in a work-group; after a barrier, every work-item gets the
/// value of the last one.
Folding::Folded Folding::quotient_by_multiplication(Value a, std::int64_t divisor) {
  const auto bound = recorder_.largest(a);
  if (!bound || divisor <= 0 || base::is_power_of_two(static_cast<std::uint64_t>(divisor)))
    return std::nullopt;
  std::int64_t power = 1, factor = 1;
  int bits = 0;
  do {
    power *= 2, ++bits;
    factor = (power + divisor - 1) / divisor;
  } while ((factor * divisor - power) * *bound >= power);
  const Type narrow{Base::i32, 1}, wide{Base::i64, 1};
  const bool fits = *bound * factor <= std::numeric_limits<std::int32_t>::max();
  const Value multiplier = recorder_.integer(factor, fits ? narrow : wide);
  const Value product = fold_integer(Op::mul, fits ? a : convert(a, wide), multiplier);
  const Value shifted = plain(recorder_, Op::shift_right, product,
                              recorder_.integer(bits, product.type()), product.type());
  const Value quotient = convert(shifted, narrow);
  recorder_.set_largest(quotient, *bound / divisor);
  return quotient;
}

Folding::Folded Folding::difference(Value a, Value b) {
  const auto x = recorder_.constant_integer(a), y = recorder_.constant_integer(b);
  if (y) return fold_integer(Op::add, a, recorder_.integer(-*y, a.type()));
  if (!x) return {};
  const auto [variable, offset] = recorder_.split(b);
  if (offset == 0) return {};
  return fold_integer(Op::sub, recorder_.integer(*x - offset, a.type()), variable);
}

Folding::Folded Folding::sum(Value a, Value b) {
  const auto x = recorder_.constant_integer(a), y = recorder_.constant_integer(b);
  if (x && y) return recorder_.integer(*x + *y, a.type());
  if (x) return fold_integer(Op::add, b, a);
  const auto [variable, offset] = recorder_.split(a);
  if (y) return with_offset(variable, offset + *y);
  const auto [other, more] = recorder_.split(b);
  if (offset == 0 && more == 0) return {};
  return with_offset(fold_integer(Op::add, variable, other), offset + more);
}

Folding::Folded Folding::product(Value a, Value b) {
  const auto x = recorder_.constant_integer(a), y = recorder_.constant_integer(b);
  if (x && y) return recorder_.integer(*x * *y, a.type());
  if (x) return fold_integer(Op::mul, b, a);
  if (y && *y == 0) return recorder_.integer(0, a.type());
  if (y && *y == 1) return a;
  const auto [variable, offset] = recorder_.split(a);
  if (!y || offset == 0) return {};
  return with_offset(fold_integer(Op::mul, variable, b), offset * *y);
}

/// Folds Op::div and Op::mod.
Folding::Folded Folding::division(Op op, Value a, Value b) {
  const Type type = a.type();
  const auto x = recorder_.constant_integer(a), y = recorder_.constant_integer(b);
  if (!y) return {};
  if (x) return recorder_.integer(op == Op::div ? *x / *y : *x % *y, type);
  if (*y == 1) return op == Op::div ? a : recorder_.integer(0, type);
  if (const auto bound = recorder_.largest(a); bound && *bound < *y)
    return op == Op::div ? recorder_.integer(0, type) : a;
  const auto [variable, offset] = recorder_.split(a);
  if (offset > 0 && offset % *y == 0) {
    const Value rest = fold_integer(op, variable, b);
    return op == Op::div ? fold_integer(Op::add, rest, recorder_.integer(offset / *y, type)) : rest;
  }
  const auto most = recorder_.largest(variable);
  if (offset > 0 && most && *most + offset % *y < *y)
    return op == Op::div ? recorder_.integer(offset / *y, type)
                         : with_offset(variable, offset % *y);
  return {};
}

Folding::Folded Folding::simplified(Op op, Value a, Value b) {
  switch (op) {
    case Op::sub:
      return difference(a, b);
    case Op::add:
      return sum(a, b);
    case Op::mul:
      return product(a, b);
    case Op::div:
    case Op::mod: {
      const auto known = division(op, a, b);
      return known ? known : division_by_multiplication(op, a, b);
    }
    case Op::min:
      return minimum(recorder_, a, b);
    default:
      return {};
  }
}

Folding::Folded Folding::division_by_multiplication(Op op, Value a, Value b) {
  const Type type = a.type();
  const auto y = recorder_.constant_integer(b);
  if (!y || type != Type{Base::i32, 1}) return {};
  const auto quotient = quotient_by_multiplication(a, *y);
  if (!quotient || op == Op::div) return quotient;
  const Value rest = plain(recorder_, Op::sub, a, fold_integer(Op::mul, *quotient, b), type);
  recorder_.set_largest(rest, *y - 1);
  return rest;
}

Value Folding::fold_integer(Op op, Value a, Value b) {
  if (const auto simpler = simplified(op, a, b)) return *simpler;
  const auto bound = bound_of(recorder_, op, a, b);
  const auto y = recorder_.constant_integer(b);
  const bool divides = op == Op::div || op == Op::mod;
  const bool by_bits = divides && y && base::is_power_of_two(static_cast<std::uint64_t>(*y));
  const Value result = by_bits ? division_by_bits(recorder_, op, a, static_cast<std::uint64_t>(*y))
                               : plain(recorder_, op, a, b, a.type());
  if (bound && a.type().lanes == 1) recorder_.set_largest(result, *bound);
  return result;
}

Value Folding::fold_real(Op op, Value a, Value b) {
  const auto x = recorder_.constant_real(a), y = recorder_.constant_real(b);
  const auto negated = [this](Value v) -> std::optional<Value> {
    const Instruction& in = recorder_.instruction(v);
    if (in.op != Op::neg) return std::nullopt;
    return recorder_.value(in.args[0], in.type);
  };
  switch (op) {
    case Op::add:
      if (x && y) return recorder_.real(*x + *y, a.type());
      if (x && *x == 0) return b;
      if (y && *y == 0) return a;
      if (const auto n = negated(b)) return fold_real(Op::sub, a, *n);
      if (const auto n = negated(a)) return fold_real(Op::sub, b, *n);
      break;
    case Op::sub:
      if (x && y) return recorder_.real(*x - *y, a.type());
      if (y && *y == 0) return a;
      if (x && *x == 0) return unary(Op::neg, b);
      if (const auto n = negated(b)) return fold_real(Op::add, a, *n);
      break;
    case Op::mul:
      if (x && y) return recorder_.real(*x * *y, a.type());
      if (x) return fold_real(Op::mul, b, a);
      if (y && *y == 0) return b;  // only twiddle constants are 0; data is finite where it matters
      if (y && *y == 1) return a;
      if (y && *y == -1) return unary(Op::neg, a);
      break;
    default:
      break;
  }
  return plain(recorder_, op, a, b, a.type());
}

Condition Folding::compare(Op op, Value a, Value b) {
  match(a, b);
  const auto x = recorder_.constant_integer(a), y = recorder_.constant_integer(b);
  const auto bound = recorder_.largest(a);
  if (op == Op::less && y && bound && *bound < *y) return Condition::always();
  if (x && y) return op == Op::equal && *x == *y ? Condition::always() : Condition::never();
  return Condition(plain(recorder_, op, a, b, {Base::boolean, 1}));
}

Value Folding::binary(Op op, Value a, Value b) {
  match(a, b);
  if (op == Op::logical_and) return plain(recorder_, op, a, b, {Base::boolean, 1});
  return a.type().is_int() ? fold_integer(op, a, b) : fold_real(op, a, b);
}

Value Folding::unary(Op op, Value a) {
  if (op == Op::neg && a.type().is_float()) {
    if (const auto c = recorder_.constant_real(a)) return recorder_.real(-*c, a.type());
    const Instruction& in = recorder_.instruction(a);
    if (in.op == Op::neg) return recorder_.value(in.args[0], in.type);
    // Two products of a rounded difference must not change places: one of them becomes part of an
    // fma.
    if (in.op == Op::sub && !(keeps_rounded_ && in.is_rounded))
      return fold_real(Op::sub, recorder_.value(in.args[1], in.type),
                       recorder_.value(in.args[0], in.type));
  }
  return recorder_.pure({.op = op, .type = a.type(), .args = {a.id(), kNone, kNone}});
}

Value Folding::fma(Value a, Value b, Value c) {
  const unsigned lanes = std::max({a.type().lanes, b.type().lanes, c.type().lanes});
  a = splat(a, lanes), b = splat(b, lanes), c = splat(c, lanes);
  return recorder_.pure({.op = Op::fma, .type = a.type(), .args = {a.id(), b.id(), c.id()}});
}

}  // namespace imago::ir
