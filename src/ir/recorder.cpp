// This file records the instructions of a kernel and the known properties of their values.
#include "ir/recorder.hpp"

#include "base/errors.hpp"

namespace imago::ir {

Value Recorder::append(Instruction instruction) {
  if (instruction.type.base == Base::f16)
    base::internal_error("kernel " + kernel_.name + ": a value has halves, which only memory has");
  kernel_.code.push_back(instruction);
  return {builder_, static_cast<std::uint32_t>(kernel_.code.size() - 1), instruction.type};
}

Value Recorder::pure(Instruction in) {
  const Key key{in.op,      in.type.base, in.type.lanes, in.args[0],
                in.args[1], in.args[2],   in.integer,    in.number};
  for (const auto& scope : scopes_) {
    if (const auto found = scope.find(key); found != scope.end())
      return {builder_, found->second, in.type};
  }
  const Value value = append(in);
  scopes_.back().emplace(key, value.id());
  return value;
}

Value Recorder::real(double number, Type type) {
  return pure({.op = Op::constant, .type = type, .number = number == 0 ? 0.0 : number});
}

Value Recorder::integer(std::int64_t number, Type type) {
  return pure({.op = Op::constant, .type = type, .integer = number});
}

std::int64_t Recorder::list(std::vector<int> values) {
  const auto [at, added] =
      list_ids_.try_emplace(values, static_cast<std::int64_t>(kernel_.lists.size()));
  if (added) kernel_.lists.push_back(std::move(values));
  return at->second;
}

std::optional<std::int64_t> Recorder::constant_integer(Value value) const {
  const Instruction& in = kernel_.code[value.id()];
  if (in.op != Op::constant || in.type.is_float()) return std::nullopt;
  return in.integer;
}

std::optional<double> Recorder::constant_real(Value value) const {
  const Instruction& in = kernel_.code[value.id()];
  if (in.op != Op::constant || !in.type.is_float()) return std::nullopt;
  return in.number;
}

std::optional<std::int64_t> Recorder::largest(Value value) const {
  if (const auto c = constant_integer(value)) return c;
  const auto found = largest_.find(value.id());
  return found == largest_.end() ? std::nullopt : std::optional(found->second);
}

std::pair<Value, std::int64_t> Recorder::split(Value value) const {
  const Instruction& in = kernel_.code[value.id()];
  if (in.op != Op::add || !in.type.is_int()) return {value, 0};
  const Instruction& right = kernel_.code[in.args[1]];
  if (right.op != Op::constant) return {value, 0};
  return {Value(&value.builder(), in.args[0], in.type), right.integer};
}

}  // namespace imago::ir
