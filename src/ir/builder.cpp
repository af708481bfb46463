// This file appends instructions to a kernel.
#include "ir/builder.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace imago::ir {

Builder::Builder(std::string name, unsigned work_group_size)
    : recorder_(this), folding_(recorder_), sums_(recorder_) {
  recorder_.kernel().name = std::move(name);
  recorder_.kernel().work_group_size = work_group_size;
}

MemoryId Builder::global(const std::string& name, Type element, bool read_only, bool doubles) {
  const MemoryId memory = add({name, Space::global, element, 0, read_only});
  recorder_.kernel().memories[memory.index].doubles = doubles;
  recorder_.kernel().arguments.push_back({Argument::Kind::memory, memory.index});
  return memory;
}

MemoryId Builder::global_apart(const std::string& name, Type element, bool doubles) {
  const MemoryId memory = global(name, element, true, doubles);
  recorder_.kernel().memories[memory.index].apart = true;
  return memory;
}

MemoryId Builder::counters(const std::string& name) {
  const Kernel& kernel = recorder_.kernel();
  if (std::any_of(kernel.memories.begin(), kernel.memories.end(),
                  [](const Memory& memory) { return memory.counters; }))
    base::internal_error("kernel " + kernel.name + ": " + name + " is a second pair of counters");
  const MemoryId memory = global(name, {Base::i32, 1}, false);
  recorder_.kernel().memories[memory.index].counters = true;
  return memory;
}

MemoryId Builder::local(const std::string& name, Type element, std::size_t size) {
  return array({name, Space::local, element, size, false});
}

MemoryId Builder::private_array(const std::string& name, Type element, std::size_t size) {
  return array({name, Space::private_, element, size, false});
}

MemoryId Builder::array(Memory memory) {
  if (memory.element.base == Base::f16 || is_short(memory.element.base))
    base::internal_error("kernel " + recorder_.kernel().name + ": " + memory.name +
                         " has short numbers, which only global memory can have");
  const std::string name = memory.name;
  std::vector<Memory>& memories = recorder_.kernel().memories;
  for (unsigned number = 2;; ++number) {
    const auto same = std::find_if(memories.begin(), memories.end(),
                                   [&](const Memory& other) { return other.name == memory.name; });
    if (same == memories.end()) return add(std::move(memory));
    if (same->space == memory.space && same->element == memory.element) {
      same->size = std::max(same->size, memory.size);
      return {static_cast<std::uint32_t>(same - memories.begin())};
    }
    memory.name = name + "_" + std::to_string(number);
  }
}

Value Builder::user_call(const std::vector<std::string>& texts, const UserCall& call, Type result,
                         const std::vector<Value>& arguments) {
  Kernel& kernel = recorder_.kernel();
  auto next = kernel.texts.end();
  for (auto text = texts.rbegin(); text != texts.rend(); ++text) {
    const auto known = std::find(kernel.texts.begin(), kernel.texts.end(), *text);
    next = known != kernel.texts.end() ? known : kernel.texts.insert(next, *text);
  }
  Instruction called{.op = Op::user_call, .type = result};
  for (std::size_t i = 0; i < arguments.size(); ++i) called.args[i] = arguments[i].id();
  called.integer = static_cast<std::int64_t>(kernel.user_calls.size());
  kernel.user_calls.push_back(call);
  return recorder_.pure(called);
}

MemoryId Builder::add(Memory memory) {
  recorder_.kernel().memories.push_back(std::move(memory));
  return {static_cast<std::uint32_t>(recorder_.kernel().memories.size() - 1)};
}

Value Builder::parameter(const std::string& name, Type type) {
  const auto index = static_cast<std::uint32_t>(recorder_.kernel().parameters.size());
  recorder_.kernel().parameters.push_back({name, type});
  recorder_.kernel().arguments.push_back({Argument::Kind::parameter, index});
  return recorder_.pure({.op = Op::argument, .type = type, .integer = index});
}

Value Builder::lane_constants(std::vector<int> values) {
  const auto lanes = static_cast<std::uint8_t>(values.size());
  const auto at = recorder_.list(std::move(values));
  return recorder_.pure({.op = Op::constant_lanes, .type = {Base::i32, lanes}, .integer = at});
}

Value Builder::group_id() { return recorder_.pure({.op = Op::group_id, .type = {Base::i64, 1}}); }

Value Builder::local_id(unsigned work_group_size) {
  const Value id = recorder_.pure({.op = Op::local_id, .type = {Base::i32, 1}});
  recorder_.set_largest(id, work_group_size - 1);
  return work_group_size == 1 ? integer(0) : id;
}

Value Builder::extract(Value vector, unsigned lane) {
  if (vector.type().lanes == 1) return vector;
  return recorder_.pure({.op = Op::extract,
                         .type = vector.type().scalar(),
                         .args = {vector.id(), kNone, kNone},
                         .integer = lane});
}

Value Builder::pair(Value first, Value second) {
  return recorder_.pure({.op = Op::pair,
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
  const auto at = recorder_.list(std::move(lanes));
  return recorder_.pure(
      {.op = Op::shuffle, .type = type, .args = {a.id(), b.id(), kNone}, .integer = at});
}

Value Builder::select(const Condition& condition, Value yes, Value no) {
  if (condition.is_always()) return yes;
  if (condition.is_never()) return no;
  return recorder_.pure(
      {.op = Op::select, .type = yes.type(), .args = {condition.value().id(), yes.id(), no.id()}});
}

Value Builder::at_least(Value x, Value least) {
  return recorder_.pure(
      {.op = Op::at_least, .type = x.type(), .args = {x.id(), least.id(), x.id()}});
}

Value Builder::load(MemoryId memory, Value index, unsigned lanes) {
  Type type = element(memory).of_values();
  if (type.lanes == 1) type = type.with_lanes(lanes);
  return recorder_.append(
      {.op = Op::load, .type = type, .args = {index.id(), kNone, kNone}, .memory = memory.index});
}

Value Builder::load_if(const Condition& condition, MemoryId memory, Value index, unsigned lanes) {
  if (condition.is_always()) return load(memory, index, lanes);
  const Type own = element(memory).of_values();
  if (condition.is_never()) return recorder_.real(0, lanes == 1 ? own : own.with_lanes(lanes));
  return recorder_.append({.op = Op::load_if,
                           .type = lanes == 1 ? own : own.with_lanes(lanes),
                           .args = {index.id(), condition.value().id(), kNone},
                           .memory = memory.index});
}

Value Builder::load_strided(MemoryId memory, Value index, std::int64_t stride, unsigned lanes) {
  if (stride == 1 || lanes == 1) return load(memory, index, lanes);
  return recorder_.append({.op = Op::load_strided,
                           .type = element(memory).of_values().with_lanes(lanes),
                           .args = {index.id(), kNone, kNone},
                           .integer = stride,
                           .memory = memory.index});
}

void Builder::store(MemoryId memory, Value index, Value value) {
  recorder_.append({.op = Op::store,
                    .type = value.type(),
                    .args = {index.id(), value.id(), kNone},
                    .memory = memory.index});
}

void Builder::store_strided(MemoryId memory, Value index, Value value, std::int64_t stride) {
  if (stride == 1 || value.type().lanes == 1) return store(memory, index, value);
  recorder_.append({.op = Op::store_strided,
                    .type = value.type(),
                    .args = {index.id(), value.id(), kNone},
                    .integer = stride,
                    .memory = memory.index});
}

void Builder::loop(Value count, const std::function<void(Value)>& body) {
  const auto known = constant_integer(count);
  if (known && *known == 0) return;
  if (known && *known == 1) return body(integer(0, count.type()));
  const Value i = recorder_.append(
      {.op = Op::loop_begin, .type = count.type(), .args = {count.id(), kNone, kNone}});
  if (known) recorder_.set_largest(i, *known - 1);
  recorder_.open_scope();
  body(i);
  recorder_.close_scope();
  recorder_.append({.op = Op::loop_end, .type = {}});
}

void Builder::loop(std::int64_t count, const std::function<void(Value)>& body) {
  loop(integer(count), body);
}

void Builder::when(const Condition& condition, const std::function<void()>& body) {
  if (condition.is_always()) return body();
  if (condition.is_never()) return;
  recorder_.append(
      {.op = Op::when_begin, .type = {}, .args = {condition.value().id(), kNone, kNone}});
  recorder_.open_scope();
  body();
  recorder_.close_scope();
  recorder_.append({.op = Op::when_end, .type = {}});
}

void Builder::barrier() { recorder_.append({.op = Op::barrier, .type = {}}); }

void Builder::fence() { recorder_.append({.op = Op::fence, .type = {}}); }

Value Builder::take_ticket(MemoryId counters) {
  return recorder_.append({.op = Op::take_ticket, .type = {}, .memory = counters.index});
}

void Builder::await(MemoryId counters, Value groups) {
  if (constant_integer(groups) == 0) return;
  const Value count = convert(groups, {Base::i32, 1});
  recorder_.append({.op = Op::await_groups,
                    .type = {},
                    .args = {count.id(), kNone, kNone},
                    .memory = counters.index});
}

void Builder::finish(MemoryId counters, Value groups) {
  const Value count = convert(groups, {Base::i32, 1});
  recorder_.append({.op = Op::finish_group,
                    .type = {},
                    .args = {count.id(), kNone, kNone},
                    .memory = counters.index});
}

Value operator+(Value a, Value b) { return a.builder().binary(Op::add, a, b); }
Value operator-(Value a, Value b) { return a.builder().binary(Op::sub, a, b); }
Value operator*(Value a, Value b) { return a.builder().binary(Op::mul, a, b); }
Value operator/(Value a, Value b) { return a.builder().binary(Op::div, a, b); }
Value operator%(Value a, Value b) { return a.builder().binary(Op::mod, a, b); }
Value operator-(Value a) { return a.builder().unary(Op::neg, a); }
Condition operator<(Value a, Value b) { return a.builder().compare(Op::less, a, b); }
Condition equal(Value a, Value b) { return a.builder().compare(Op::equal, a, b); }
Condition operator&&(const Condition& a, const Condition& b) {
  if (a.is_never() || b.is_always()) return a;
  if (b.is_never() || a.is_always()) return b;
  return Condition(a.value().builder().binary(Op::logical_and, a.value(), b.value()));
}
Value operator+(Value a, std::int64_t b) { return a + a.builder().integer(b, a.type()); }
Value operator*(Value a, std::int64_t b) { return a * a.builder().integer(b, a.type()); }
Value operator/(Value a, std::int64_t b) { return a / a.builder().integer(b, a.type()); }
Value operator%(Value a, std::int64_t b) { return a % a.builder().integer(b, a.type()); }
Value operator-(std::int64_t a, Value b) { return b.builder().integer(a, b.type()) - b; }
Condition operator<(Value a, std::int64_t b) { return a < a.builder().integer(b, a.type()); }
Value scaled(Value a, double factor) { return a * a.builder().real(factor, a.type()); }

Value rounded(Value x) {
  x.builder().recorder_.kernel().code[x.id()].is_rounded = true;
  return x;
}

Value settled(Value x) {
  Builder& b = x.builder();
  const Op op = b.recorder_.instruction(x).op;
  const bool rounds = op == Op::add || op == Op::sub || op == Op::mul || op == Op::fma;
  return b.reproducible_ && rounds ? rounded(x) : x;
}

Value where_zero(Value tested, std::int64_t yes, Value no) {
  Builder& b = tested.builder();
  const Value first = b.integer(yes, no.type());
  return b.select(equal(tested, b.integer(0, tested.type())), first, no);
}

}  // namespace imago::ir
