// This file appends instructions to a kernel, folding and sharing as it goes.
#include "ir/builder.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/errors.hpp"
#include "base/integers.hpp"

namespace imago::ir {

Builder::Builder(std::string name, unsigned work_group_size) : scopes_(1) {
  kernel_.name = std::move(name);
  kernel_.work_group_size = work_group_size;
}

MemoryId Builder::global(const std::string& name, Type element, bool read_only) {
  const auto index = static_cast<std::uint32_t>(kernel_.memories.size());
  kernel_.memories.push_back({name, Space::global, element, 0, read_only});
  kernel_.arguments.push_back({Argument::Kind::memory, index});
  return {index};
}

MemoryId Builder::local(const std::string& name, Type element, std::size_t size) {
  return array({name, Space::local, element, size, false});
}

MemoryId Builder::private_array(const std::string& name, Type element, std::size_t size) {
  return array({name, Space::private_, element, size, false});
}

MemoryId Builder::array(Memory memory) {
  if (memory.element.base == Base::f16)
    base::internal_error("kernel " + kernel_.name + ": " + memory.name +
                         " has halves, which only global memory can have");
  kernel_.memories.push_back(std::move(memory));
  return {static_cast<std::uint32_t>(kernel_.memories.size() - 1)};
}

Value Builder::parameter(const std::string& name, Type type) {
  const auto index = static_cast<std::uint32_t>(kernel_.parameters.size());
  kernel_.parameters.push_back({name, type});
  kernel_.arguments.push_back({Argument::Kind::parameter, index});
  return pure({.op = Op::argument, .type = type, .integer = index});
}

Value Builder::append(Instruction instruction) {
  if (instruction.type.base == Base::f16)
    base::internal_error("kernel " + kernel_.name + ": a value has halves, which only memory has");
  kernel_.code.push_back(instruction);
  return {this, static_cast<std::uint32_t>(kernel_.code.size() - 1), instruction.type};
}

Value Builder::pure(Instruction in) {
  const Key key{in.op,      in.type.base, in.type.lanes, in.args[0],
                in.args[1], in.args[2],   in.integer,    in.number};
  for (const auto& scope : scopes_) {
    if (const auto found = scope.find(key); found != scope.end())
      return {this, found->second, in.type};
  }
  const Value value = append(in);
  scopes_.back().emplace(key, value.id());
  return value;
}

Value Builder::real(double number, Type type) {
  return pure({.op = Op::constant, .type = type, .number = number == 0 ? 0.0 : number});
}

Value Builder::integer(std::int64_t number, Type type) {
  return pure({.op = Op::constant, .type = type, .integer = number});
}

Value Builder::lane_constants(std::vector<int> values) {
  const auto lanes = static_cast<std::uint8_t>(values.size());
  const auto [at, added] =
      list_ids_.try_emplace(values, static_cast<std::int64_t>(kernel_.lists.size()));
  if (added) kernel_.lists.push_back(std::move(values));
  return pure({.op = Op::constant_lanes, .type = {Base::i32, lanes}, .integer = at->second});
}

Value Builder::group_id() { return pure({.op = Op::group_id, .type = {Base::i64, 1}}); }

Value Builder::local_id(unsigned work_group_size) {
  const Value id = pure({.op = Op::local_id, .type = {Base::i32, 1}});
  set_largest(id, work_group_size - 1);
  return work_group_size == 1 ? integer(0) : id;
}

std::optional<std::int64_t> Builder::constant_integer(Value value) const {
  const Instruction& in = kernel_.code[value.id()];
  if (in.op != Op::constant || in.type.is_float()) return std::nullopt;
  return in.integer;
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

Value Builder::splat(Value scalar, unsigned lanes) {
  if (scalar.type().lanes == lanes) return scalar;
  const Type type = scalar.type().with_lanes(lanes);
  if (const auto c = constant_real(scalar)) return real(*c, type);
  if (const auto c = constant_integer(scalar)) return integer(*c, type);
  return pure({.op = Op::splat, .type = type, .args = {scalar.id(), kNone, kNone}});
}

Value Builder::extract(Value vector, unsigned lane) {
  if (vector.type().lanes == 1) return vector;
  return pure({.op = Op::extract,
               .type = vector.type().scalar(),
               .args = {vector.id(), kNone, kNone},
               .integer = lane});
}

Value Builder::pair(Value first, Value second) {
  return pure({.op = Op::pair,
               .type = first.type().with_lanes(2),
               .args = {first.id(), second.id(), kNone}});
}

Value Builder::shuffle(Value a, Value b, std::vector<int> lanes) {
  const auto width = static_cast<unsigned>(a.type().lanes);
  bool identity = lanes.size() == width;
  for (std::size_t i = 0; i < lanes.size(); ++i)
    identity = identity && lanes[i] == static_cast<int>(i);
  if (identity) return a;
  const Type type = a.type().with_lanes(static_cast<unsigned>(lanes.size()));
  const auto [at, added] =
      list_ids_.try_emplace(lanes, static_cast<std::int64_t>(kernel_.lists.size()));
  if (added) kernel_.lists.push_back(std::move(lanes));
  return pure(
      {.op = Op::shuffle, .type = type, .args = {a.id(), b.id(), kNone}, .integer = at->second});
}

Value Builder::convert(Value value, Type type) {
  if (value.type() == type) return value;
  if (value.type().is_int() && type.is_int()) {
    if (const auto c = constant_integer(value)) return integer(*c, type);
    const auto [variable, offset] = split(value);
    if (offset != 0) return with_offset(convert(variable, type), offset);
  }
  const Value result = pure({.op = Op::convert, .type = type, .args = {value.id(), kNone, kNone}});
  if (const auto bound = largest(value); bound && type.is_int()) set_largest(result, *bound);
  return result;
}

Value Builder::select(Value condition, Value yes, Value no) {
  if (!condition.valid()) return yes;
  return pure({.op = Op::select, .type = yes.type(), .args = {condition.id(), yes.id(), no.id()}});
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
      return op == Op::div ? with_offset(rest, offset / *y) : rest;
    }
  }
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
    const auto y = constant_integer(b);
    const auto bound = largest(a);
    if (op == Op::less && y && bound && *bound < *y) return {};  // always true
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

Value Builder::load(MemoryId memory, Value index, unsigned lanes) {
  Type type = element(memory).of_values();
  if (type.lanes == 1) type = type.with_lanes(lanes);
  return append(
      {.op = Op::load, .type = type, .args = {index.id(), kNone, kNone}, .memory = memory.index});
}

Value Builder::load_if(Value condition, MemoryId memory, Value index) {
  if (!condition.valid()) return load(memory, index);
  return append({.op = Op::load_if,
                 .type = element(memory).of_values(),
                 .args = {index.id(), condition.id(), kNone},
                 .memory = memory.index});
}

Value Builder::load_strided(MemoryId memory, Value index, std::int64_t stride, unsigned lanes) {
  if (stride == 1 || lanes == 1) return load(memory, index, lanes);
  return append({.op = Op::load_strided,
                 .type = element(memory).of_values().with_lanes(lanes),
                 .args = {index.id(), kNone, kNone},
                 .integer = stride,
                 .memory = memory.index});
}

void Builder::store(MemoryId memory, Value index, Value value) {
  append({.op = Op::store,
          .type = value.type(),
          .args = {index.id(), value.id(), kNone},
          .memory = memory.index});
}

void Builder::store_strided(MemoryId memory, Value index, Value value, std::int64_t stride) {
  if (stride == 1 || value.type().lanes == 1) return store(memory, index, value);
  append({.op = Op::store_strided,
          .type = value.type(),
          .args = {index.id(), value.id(), kNone},
          .integer = stride,
          .memory = memory.index});
}

void Builder::loop(Value count, const std::function<void(Value)>& body) {
  const auto known = constant_integer(count);
  if (known && *known == 0) return;
  if (known && *known == 1) return body(integer(0, count.type()));
  const Value i =
      append({.op = Op::loop_begin, .type = count.type(), .args = {count.id(), kNone, kNone}});
  if (known) set_largest(i, *known - 1);
  scopes_.emplace_back();
  body(i);
  scopes_.pop_back();
  append({.op = Op::loop_end, .type = {}});
}

void Builder::loop(std::int64_t count, const std::function<void(Value)>& body) {
  loop(integer(count), body);
}

void Builder::when(Value condition, const std::function<void()>& body) {
  if (!condition.valid()) return body();
  append({.op = Op::when_begin, .type = {}, .args = {condition.id(), kNone, kNone}});
  scopes_.emplace_back();
  body();
  scopes_.pop_back();
  append({.op = Op::when_end, .type = {}});
}

void Builder::barrier() { append({.op = Op::barrier, .type = {}}); }

Value operator+(Value a, Value b) { return a.builder().binary(Op::add, a, b); }
Value operator-(Value a, Value b) { return a.builder().binary(Op::sub, a, b); }
Value operator*(Value a, Value b) { return a.builder().binary(Op::mul, a, b); }
Value operator/(Value a, Value b) { return a.builder().binary(Op::div, a, b); }
Value operator%(Value a, Value b) { return a.builder().binary(Op::mod, a, b); }
Value operator-(Value a) { return a.builder().unary(Op::neg, a); }
Value operator<(Value a, Value b) { return a.builder().binary(Op::less, a, b); }
Value operator&&(Value a, Value b) {
  if (!a.valid()) return b;
  if (!b.valid()) return a;
  return a.builder().binary(Op::logical_and, a, b);
}
Value operator+(Value a, std::int64_t b) { return a + a.builder().integer(b, a.type()); }
Value operator*(Value a, std::int64_t b) { return a * a.builder().integer(b, a.type()); }
Value operator/(Value a, std::int64_t b) { return a / a.builder().integer(b, a.type()); }
Value operator%(Value a, std::int64_t b) { return a % a.builder().integer(b, a.type()); }
Value operator<(Value a, std::int64_t b) { return a < a.builder().integer(b, a.type()); }
Value scaled(Value a, double factor) { return a * a.builder().real(factor, a.type()); }

}  // namespace imago::ir
