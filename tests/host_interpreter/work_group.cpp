// This file interprets the instructions of one work-group: conditions and loops narrow the set of
// active work-items and restore it.
#include "interpreter/work_group.hpp"

#include <string>
#include <variant>

#include "base/errors.hpp"
#include "interpreter/arithmetic.hpp"
#include "ir/residues.hpp"

namespace imago::interpreter {

using ir::Argument;
using ir::Base;
using ir::Instruction;
using ir::Kernel;
using ir::Op;
using ir::Parameter;

namespace {

bool is_counted(Op op) {
  return op == Op::take_ticket || op == Op::await_groups || op == Op::finish_group;
}

std::vector<Cell> bound_parameters(const Kernel& kernel, std::span<const Binding> arguments) {
  std::vector<Cell> parameters(kernel.parameters.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = kernel.arguments[i];
    if (argument.kind != Argument::Kind::parameter) continue;
    const Parameter& parameter = kernel.parameters[argument.index];
    Cell& cell = parameters[argument.index];
    if (parameter.type.is_float() && std::holds_alternative<double>(arguments[i])) {
      cell = converted(kernel, put(std::get<double>(arguments[i])), Base::f64, parameter.type.base);
    } else if (parameter.type.is_int() && std::holds_alternative<std::int64_t>(arguments[i])) {
      cell = converted(kernel, put(std::get<std::int64_t>(arguments[i])), Base::i64,
                       parameter.type.base);
    } else {
      fail(kernel, parameter.name + " needs a binding with a number of its type");
    }
  }
  return parameters;
}

}  // namespace

Common::Common(const Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments)
    : kernel(kernel),
      memories(kernel, arguments),
      counters(kernel, groups, arguments),
      parameters(bound_parameters(kernel, arguments)) {}

WorkGroup::WorkGroup(Common& common)
    : kernel_(common.kernel),
      common_(common),
      memories_(common.kernel, common.memories, common.counters),
      items_(common.kernel),
      regions_(common.kernel, items_) {}

void WorkGroup::begin(std::uint64_t group) {
  group_ = group;
  next_ = 0;
  memories_.begin_group();
  items_.activate_all();
}

std::optional<std::int64_t> WorkGroup::awaits() const {
  if (has_ended() || kernel_.code[next_].op != Op::await_groups) return std::nullopt;
  const std::int64_t groups = uniform(kernel_.code[next_].args[0]);
  return groups > common_.counters.finished() ? std::optional(groups) : std::nullopt;
}

void WorkGroup::advance(std::uint64_t instructions) {
  for (; instructions > 0 && !has_ended(); --instructions) {
    const Op op = kernel_.code[next_].op;
    if (op == Op::await_groups && awaits()) return;
    next_ = step(next_);
    if (is_counted(op)) return;
  }
}

/// Executes one instruction and returns the index of the next one.
std::uint32_t WorkGroup::step(std::uint32_t index) {
  const Op op = kernel_.code[index].op;
  if (opens_region(op)) return regions_.enter(index);
  if (closes_region(op)) return regions_.leave(index);
  if (op == Op::fence) return index + 1;
  if (op == Op::barrier) {
    check_whole("barrier");
    memories_.barrier();
  } else if (is_counted(op)) {
    count(index);
  } else {
    compute(index);
  }
  return index + 1;
}

/// Executes an operation on the counters. Operations that order groups are barriers, too.
void WorkGroup::count(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  Counters& counters = common_.counters;
  if (x.op == Op::take_ticket) {
    check_whole("take_ticket");
    const std::int64_t ticket = counters.take_ticket(group_);
    return items_.set(index, [&](std::uint32_t, unsigned) { return put(ticket); });
  }
  check_whole(x.op == Op::await_groups ? "await" : "finish");
  memories_.barrier();
  const std::int64_t groups = uniform(x.args[0]);
  x.op == Op::await_groups ? counters.passed(group_, groups) : counters.finish(group_, groups);
}

void WorkGroup::check_whole(const char* operation) const {
  const std::size_t here = items_.active().size();
  if (here == kernel_.work_group_size) return;
  fail(kernel_, std::string(operation) + " in divergent control flow: " + std::to_string(here) +
                    " of " + std::to_string(kernel_.work_group_size) + " work-items of group " +
                    std::to_string(group_) + " reach it");
}

/// Returns an operand that has one value for all active work-items.
std::int64_t WorkGroup::uniform(std::uint32_t operand) const {
  const std::int64_t value = items_.cells(operand, items_.active().front())->integer;
  for (const std::uint32_t item : items_.active()) {
    if (items_.cells(operand, item)->integer != value)
      fail(kernel_, "work-items of group " + std::to_string(group_) +
                        " await or finish different numbers of groups");
  }
  return value;
}

void WorkGroup::compute(std::uint32_t index) {
  switch (kernel_.code[index].op) {
    case Op::constant:
    case Op::constant_lanes:
    case Op::argument:
    case Op::group_id:
    case Op::local_id:
      return compute_leaf(index);
    case Op::select:
    case Op::splat:
    case Op::pair:
    case Op::extract:
    case Op::shuffle:
      return compute_vector(index);
    case Op::load:
    case Op::load_if:
    case Op::load_strided:
    case Op::store:
    case Op::store_strided:
      return access(index);
    default:
      return compute_lanewise(kernel_, items_, index);
  }
}

void WorkGroup::compute_leaf(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  items_.set(index, [&](std::uint32_t item, unsigned lane) {
    switch (x.op) {
      case Op::constant_lanes:
        return put<std::int64_t>(kernel_.lists[x.integer][lane]);
      case Op::argument:
        return common_.parameters[x.integer];
      case Op::group_id:
        return put(static_cast<std::int64_t>(group_));
      case Op::local_id:
        return put<std::int64_t>(item);
      default:
        break;
    }
    if (ir::is_residue(x.type)) return put(x.integer);  // ir::in_ring() has set it
    if (x.type.is_float()) return converted(kernel_, put(x.number), Base::f64, x.type.base);
    return converted(kernel_, put(x.integer), Base::i64, x.type.base);
  });
}

void WorkGroup::compute_vector(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  const int source_lanes = kernel_.code[x.args[0]].type.lanes;
  items_.set(index, [&](std::uint32_t item, unsigned lane) {
    const Cell* first = items_.cells(x.args[0], item);
    if (x.op == Op::splat) return first[0];
    if (x.op == Op::pair) return items_.cells(x.args[lane], item)[0];
    if (x.op == Op::extract) return first[x.integer];
    if (x.op == Op::select) return items_.cells(x.args[first->integer != 0 ? 1 : 2], item)[lane];
    const int from = kernel_.lists[x.integer][lane];
    if (from < source_lanes) return first[from];
    return items_.cells(x.args[1], item)[from - source_lanes];
  });
}

void WorkGroup::access(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  const bool stores = x.op == Op::store || x.op == Op::store_strided;
  const bool strided = x.op == Op::load_strided || x.op == Op::store_strided;
  const unsigned lanes = kernel_.code[stores ? x.args[1] : index].type.lanes;
  const bool one_element = kernel_.memories[x.memory].element.lanes > 1;
  const std::int64_t stride = strided ? x.integer : 1;
  if (kernel_.memories[x.memory].space == ir::Space::global &&
      common_.counters.has_finished(group_))
    fail(kernel_, "group " + std::to_string(group_) + " uses " + kernel_.memories[x.memory].name +
                      " when it has finished");
  for (const std::uint32_t item : items_.active()) {
    const std::int64_t first = items_.cells(x.args[0], item)->integer;
    Cell* value = items_.cells(stores ? x.args[1] : index, item);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const Place place =
          one_element ? Place{x.memory, first, lane} : Place{x.memory, first + lane * stride, 0};
      if (stores) {
        memories_.store(place, {group_, item}, value[lane]);
      } else if (x.op == Op::load_if && items_.cells(x.args[1], item)->integer == 0) {
        value[lane] = x.type.is_float() ? put(0.0) : put<std::int64_t>(0);
      } else {
        value[lane] = memories_.load(place, {group_, item});
      }
    }
  }
}

}  // namespace imago::interpreter
