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
  if (is_never(condition)) return no;
  return pure({.op = Op::select, .type = yes.type(), .args = {condition.id(), yes.id(), no.id()}});
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
  if (is_never(condition)) return;
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
Value operator-(std::int64_t a, Value b) { return b.builder().integer(a, b.type()) - b; }
Value operator<(Value a, std::int64_t b) { return a < a.builder().integer(b, a.type()); }
Value scaled(Value a, double factor) { return a * a.builder().real(factor, a.type()); }

Value where_zero(Value tested, std::int64_t yes, Value no) {
  Builder& b = tested.builder();
  const Value first = b.integer(yes, no.type());
  return b.select(b.binary(Op::equal, tested, b.integer(0, tested.type())), first, no);
}

}  // namespace imago::ir
