// This file interprets the instructions of a kernel. Each instruction runs for all active
// work-items of a group before the next one; conditions and loops narrow the active set and restore
// it.
#include "interpreter/interpreter.hpp"

#include "base/errors.hpp"
#include "interpreter/arithmetic.hpp"
#include "interpreter/cell.hpp"
#include "interpreter/memory.hpp"
#include "interpreter/regions.hpp"
#include "interpreter/work_items.hpp"

namespace imago::interpreter {

using ir::Argument;
using ir::Base;
using ir::Instruction;
using ir::Kernel;
using ir::Op;
using ir::Parameter;

namespace {

class Interpreter {
 public:
  Interpreter(const Kernel& kernel, std::span<const Binding> arguments);
  void run_group(std::uint64_t group);

 private:
  void bind_parameters(std::span<const Binding> arguments);

  std::uint32_t step(std::uint32_t index);
  void barrier();
  void compute(std::uint32_t index);
  void compute_leaf(std::uint32_t index);
  void compute_vector(std::uint32_t index);
  void access(std::uint32_t index);

  const Kernel& kernel_;
  InterpretedMemories memories_;
  WorkItems items_;
  Regions regions_;
  std::vector<Cell> parameters_;
  std::uint64_t group_ = 0;
};

Interpreter::Interpreter(const Kernel& kernel, std::span<const Binding> arguments)
    : kernel_(kernel),
      memories_(kernel, arguments),
      items_(kernel),
      regions_(kernel, items_),
      parameters_(kernel.parameters.size()) {
  bind_parameters(arguments);
}

void Interpreter::bind_parameters(std::span<const Binding> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = kernel_.arguments[i];
    if (argument.kind != Argument::Kind::parameter) continue;
    const Parameter& parameter = kernel_.parameters[argument.index];
    Cell& cell = parameters_[argument.index];
    if (parameter.type.is_float() && std::holds_alternative<double>(arguments[i])) {
      cell =
          converted(kernel_, put(std::get<double>(arguments[i])), Base::f64, parameter.type.base);
    } else if (parameter.type.is_int() && std::holds_alternative<std::int64_t>(arguments[i])) {
      cell = converted(kernel_, put(std::get<std::int64_t>(arguments[i])), Base::i64,
                       parameter.type.base);
    } else {
      fail(kernel_, parameter.name + " needs a binding with a number of its type");
    }
  }
}

void Interpreter::run_group(std::uint64_t group) {
  group_ = group;
  memories_.begin_group();
  items_.activate_all();
  for (std::uint32_t index = 0; index < kernel_.code.size();) index = step(index);
}

/// Runs one instruction and returns the index of the next.
std::uint32_t Interpreter::step(std::uint32_t index) {
  const Op op = kernel_.code[index].op;
  if (opens_region(op)) return regions_.enter(index);
  if (closes_region(op)) return regions_.leave(index);
  if (op == Op::barrier) {
    barrier();
  } else {
    compute(index);
  }
  return index + 1;
}

void Interpreter::barrier() {
  const std::size_t here = items_.active().size();
  if (here != kernel_.work_group_size) {
    fail(kernel_, "barrier in divergent control flow: " + std::to_string(here) + " of " +
                      std::to_string(kernel_.work_group_size) + " work-items of group " +
                      std::to_string(group_) + " reach it");
  }
  memories_.barrier();
}

void Interpreter::compute(std::uint32_t index) {
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

void Interpreter::compute_leaf(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  items_.set(index, [&](std::uint32_t item, unsigned lane) {
    switch (x.op) {
      case Op::constant_lanes:
        return put<std::int64_t>(kernel_.lists[x.integer][lane]);
      case Op::argument:
        return parameters_[x.integer];
      case Op::group_id:
        return put(static_cast<std::int64_t>(group_));
      case Op::local_id:
        return put<std::int64_t>(item);
      default:
        break;
    }
    if (x.type.is_float()) return converted(kernel_, put(x.number), Base::f64, x.type.base);
    return converted(kernel_, put(x.integer), Base::i64, x.type.base);
  });
}

void Interpreter::compute_vector(std::uint32_t index) {
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

void Interpreter::access(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  const bool stores = x.op == Op::store || x.op == Op::store_strided;
  const bool strided = x.op == Op::load_strided || x.op == Op::store_strided;
  const unsigned lanes = kernel_.code[stores ? x.args[1] : index].type.lanes;
  const bool one_element = kernel_.memories[x.memory].element.lanes > 1;
  const std::int64_t stride = strided ? x.integer : 1;
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

}  // namespace

void run(const Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments) {
  if (arguments.size() != kernel.arguments.size()) {
    base::internal_error("kernel " + kernel.name + " has " +
                         std::to_string(kernel.arguments.size()) + " arguments; bound are " +
                         std::to_string(arguments.size()));
  }
  Interpreter interpreter(kernel, arguments);
  for (std::uint64_t group = 0; group < groups; ++group) interpreter.run_group(group);
}

}  // namespace imago::interpreter
