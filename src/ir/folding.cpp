// This file folds what is known of values as they are appended: constants, constant offsets, and
// the bounds of indices.
#include <algorithm>
#include <bit>
#include <limits>

#include "base/integers.hpp"
#include "ir/builder.hpp"

namespace imago::ir {

std::optional<std::int64_t> Builder::constant_integer(Value value) const {
  const Instruction& in = kernel_.code[value.id()];
  if (in.op != Op::constant || in.type.is_float()) return std::nullopt;
  return in.integer;
}

Value Builder::never() { return integer(0, {Base::boolean, 1}); }

bool Builder::is_never(Value condition) const {
  return condition.type().base == Base::boolean && constant_integer(condition) == 0;
}

std::optional<double> Builder::constant_real(Value value) const {
  const Instruction& in = kernel_.code[value.id()];
  if (in.op != Op::constant || !in.type.is_float()) return std::nullopt;
  return in.number;
}

void Builder::set_largest(Value value, std::int64_t largest) { largest_[value.id()] = largest; }

std::optional<std::int64_t> Builder::largest(Value value) const {
  if (const auto c = constant_integer(value)) return c;
  const auto found = largest_.find(value.id());
  return found == largest_.end() ? std::nullopt : std::optional(found->second);
}

void Builder::match(Value& a, Value& b) {
  const unsigned lanes = std::max(a.type().lanes, b.type().lanes);
  a = splat(a, lanes);
  b = splat(b, lanes);
  if (a.type().base == b.type().base) return;
  if (a.type().base == Base::i32 && b.type().base == Base::i64) a = convert(a, b.type());
  if (a.type().base == Base::i64 && b.type().base == Base::i32) b = convert(b, a.type());
}

Value Builder::plain(Op op, Value a, Value b, Type type) {
  return pure({.op = op, .type = type, .args = {a.id(), b.id(), kNone}});
}

std::pair<Value, std::int64_t> Builder::split(Value value) const {
  const Instruction& in = kernel_.code[value.id()];
  if (in.op != Op::add || !in.type.is_int()) return {value, 0};
  const Instruction& right = kernel_.code[in.args[1]];
  if (right.op != Op::constant) return {value, 0};
  return {Value(&value.builder(), in.args[0], in.type), right.integer};
}

Value Builder::with_offset(Value value, std::int64_t offset) {
  if (offset == 0) return value;
  const Value result = plain(Op::add, value, integer(offset, value.type()), value.type());
  if (const auto bound = largest(value)) set_largest(result, *bound + offset);
  return result;
}

std::optional<std::int64_t> Builder::bound_of(Op op, Value a, Value b) const {
  const auto x = largest(a), y = largest(b);
  switch (op) {
    case Op::add:
      return x && y ? std::optional(*x + *y) : std::nullopt;
    case Op::mul:
      return x && y ? std::optional(*x * *y) : std::nullopt;
    case Op::div:
      return x && constant_integer(b) ? std::optional(*x / *constant_integer(b)) : std::nullopt;
    case Op::mod:
      return constant_integer(b) ? std::optional(*constant_integer(b) - 1) : std::nullopt;
    case Op::min:
      return x && y ? std::optional(std::min(*x, *y)) : (x ? x : y);
    case Op::sub:
      return x && constant_integer(b) ? std::optional(*x - *constant_integer(b)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// a / divisor as (a * factor) >> bits, exact from 0 to a's bound (Granlund and Montgomery, PLDI
/// 1994, theorem 4.2: factor * divisor - 2^bits, times the bound, stays below 2^bits).
///
/// Not for speed, which compilers see to themselves: PoCL 5.0 takes a remainder whose quotient is
/// used too for the same in all work-items of a group, and behind a barrier every one of them gets
/// the last one's.
std::optional<Value> Builder::quotient_by_multiplication(Value a, std::int64_t divisor) {
  const auto bound = largest(a);
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
  const Value product =
      fold_integer(Op::mul, fits ? a : convert(a, wide), integer(factor, fits ? narrow : wide));
  const Value shifted =
      plain(Op::shift_right, product, integer(bits, product.type()), product.type());
  const Value quotient = convert(shifted, narrow);
  set_largest(quotient, *bound / divisor);
  return quotient;
}

Value Builder::fold_integer(Op op, Value a, Value b) {
  const Type type = a.type();
  const auto x = constant_integer(a), y = constant_integer(b);
  if (op == Op::sub && y) return fold_integer(Op::add, a, integer(-*y, type));
  if (op == Op::sub && x) {
    const auto [variable, offset] = split(b);
    if (offset != 0) return fold_integer(Op::sub, integer(*x - offset, type), variable);
  }
  if (op == Op::add) {
    if (x && y) return integer(*x + *y, type);
    if (x) return fold_integer(Op::add, b, a);
    const auto [variable, offset] = split(a);
    if (y) return with_offset(variable, offset + *y);
    const auto [other, more] = split(b);
    if (offset != 0 || more != 0)
      return with_offset(fold_integer(Op::add, variable, other), offset + more);
  }
  if (op == Op::mul) {
    if (x && y) return integer(*x * *y, type);
    if (x) return fold_integer(Op::mul, b, a);
    if (y && *y == 0) return integer(0, type);
    if (y && *y == 1) return a;
    const auto [variable, offset] = split(a);
    if (y && offset != 0) return with_offset(fold_integer(Op::mul, variable, b), offset * *y);
  }
  if (op == Op::div || op == Op::mod) {
    if (x && y) return integer(op == Op::div ? *x / *y : *x % *y, type);
    if (y && *y == 1) return op == Op::div ? a : integer(0, type);
    if (const auto bound = largest(a); y && bound && *bound < *y)
      return op == Op::div ? integer(0, type) : a;
    const auto [variable, offset] = split(a);
    if (y && offset > 0 && offset % *y == 0) {
      const Value rest = fold_integer(op, variable, b);
      return op == Op::div ? fold_integer(Op::add, rest, integer(offset / *y, type)) : rest;
    }
    const auto most = largest(variable);
    if (y && offset > 0 && most && *most + offset % *y < *y)
      return op == Op::div ? integer(offset / *y, type) : with_offset(variable, offset % *y);
  }
  if (op == Op::min && x && y) return integer(std::min(*x, *y), type);
  if (op == Op::min && y) {
    if (const auto bound = largest(a); bound && *bound <= *y) return a;
  }
  if ((op == Op::div || op == Op::mod) && y && type == Type{Base::i32, 1}) {
    if (const auto quotient = quotient_by_multiplication(a, *y)) {
      if (op == Op::div) return *quotient;
      const Value rest = plain(Op::sub, a, fold_integer(Op::mul, *quotient, b), type);
      set_largest(rest, *y - 1);
      return rest;
    }
  }
  const auto bound = bound_of(op, a, b);
  Value result;
  if ((op == Op::div || op == Op::mod) && y &&
      base::is_power_of_two(static_cast<std::uint64_t>(*y))) {
    const auto bits = std::countr_zero(static_cast<std::uint64_t>(*y));
    result = op == Op::div ? plain(Op::shift_right, a, integer(bits, type), type)
                           : plain(Op::bit_and, a, integer(*y - 1, type), type);
  } else {
    result = plain(op, a, b, type);
  }
  if (bound && type.lanes == 1) set_largest(result, *bound);
  return result;
}

Value Builder::fold_real(Op op, Value a, Value b) {
  const auto x = constant_real(a), y = constant_real(b);
  const auto negated = [this](Value v) -> std::optional<Value> {
    const Instruction& in = kernel_.code[v.id()];
    if (in.op != Op::neg) return std::nullopt;
    return Value(this, in.args[0], in.type);
  };
  switch (op) {
    case Op::add:
      if (x && y) return real(*x + *y, a.type());
      if (x && *x == 0) return b;
      if (y && *y == 0) return a;
      if (const auto n = negated(b)) return fold_real(Op::sub, a, *n);
      if (const auto n = negated(a)) return fold_real(Op::sub, b, *n);
      break;
    case Op::sub:
      if (x && y) return real(*x - *y, a.type());
      if (y && *y == 0) return a;
      if (x && *x == 0) return unary(Op::neg, b);
      if (const auto n = negated(b)) return fold_real(Op::add, a, *n);
      break;
    case Op::mul:
      if (x && y) return real(*x * *y, a.type());
      if (x) return fold_real(Op::mul, b, a);
      if (y && *y == 0) return b;  // twiddle constants only: the data is finite where it matters
      if (y && *y == 1) return a;
      if (y && *y == -1) return unary(Op::neg, a);
      break;
    default:
      break;
  }
  return plain(op, a, b, a.type());
}

Value Builder::binary(Op op, Value a, Value b) {
  match(a, b);
  if (op == Op::less || op == Op::equal || op == Op::logical_and) {
    if (op == Op::logical_and && (is_never(a) || is_never(b))) return never();
    const auto x = constant_integer(a), y = constant_integer(b);
    const auto bound = largest(a);
    if (op == Op::less && y && bound && *bound < *y) return {};  // always true
    if (op != Op::logical_and && x && y) return op == Op::equal && *x == *y ? Value{} : never();
    return plain(op, a, b, {Base::boolean, 1});
  }
  return a.type().is_int() ? fold_integer(op, a, b) : fold_real(op, a, b);
}

Value Builder::unary(Op op, Value a) {
  if (op == Op::neg && a.type().is_float()) {
    if (const auto c = constant_real(a)) return real(-*c, a.type());
    const Instruction& in = kernel_.code[a.id()];
    if (in.op == Op::neg) return {this, in.args[0], in.type};
    if (in.op == Op::sub)
      return fold_real(Op::sub, {this, in.args[1], in.type}, {this, in.args[0], in.type});
  }
  return pure({.op = op, .type = a.type(), .args = {a.id(), kNone, kNone}});
}

Value Builder::fma(Value a, Value b, Value c) {
  const unsigned lanes = std::max({a.type().lanes, b.type().lanes, c.type().lanes});
  a = splat(a, lanes), b = splat(b, lanes), c = splat(c, lanes);
  return pure({.op = Op::fma, .type = a.type(), .args = {a.id(), b.id(), c.id()}});
}

}  // namespace imago::ir
