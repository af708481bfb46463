// This file runs the loops and conditions of an interpreted kernel.
#include "interpreter/regions.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace imago::interpreter {

using ir::Instruction;
using ir::Kernel;
using ir::kNone;
using ir::Op;

namespace {

std::string name_of(std::uint32_t index) { return std::string("v").append(std::to_string(index)); }

}  // namespace

bool opens_region(Op op) { return op == Op::loop_begin || op == Op::when_begin; }
bool closes_region(Op op) { return op == Op::loop_end || op == Op::when_end; }

Regions::Regions(const Kernel& kernel, WorkItems& items)
    : kernel_(kernel), items_(items), partner_(kernel.code.size(), kNone) {
  match();
}

void Regions::match() {
  const std::vector<Instruction>& code = kernel_.code;
  std::vector<std::uint32_t> open;
  std::vector<bool> visible(code.size());
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    check_arguments(i, visible);
    visible[i] = true;
    if (opens_region(code[i].op)) open.push_back(i);
    if (!closes_region(code[i].op)) continue;
    const Op begin = code[i].op == Op::loop_end ? Op::loop_begin : Op::when_begin;
    if (open.empty() || code[open.back()].op != begin)
      fail(kernel_, "loops and conditions do not nest");
    partner_[i] = open.back();
    partner_[open.back()] = i;
    std::fill(visible.begin() + open.back(), visible.begin() + i, false);
    open.pop_back();
  }
  if (!open.empty()) fail(kernel_, "a loop or condition does not end");
}

void Regions::check_arguments(std::uint32_t index, const std::vector<bool>& visible) const {
  for (const std::uint32_t argument : kernel_.code[index].args) {
    if (argument == kNone || (argument < index && visible[argument])) continue;
    fail(kernel_, name_of(argument) + " is used where it has no value, by " + name_of(index));
  }
}

std::uint32_t Regions::enter(std::uint32_t index) {
  regions_.push_back({items_.active(), 0});
  if (narrow(index)) return index + 1;
  restore();
  return partner_[index] + 1;
}

std::uint32_t Regions::leave(std::uint32_t index) {
  const std::uint32_t begin = partner_[index];
  if (kernel_.code[begin].op == Op::loop_begin) {
    ++regions_.back().iteration;
    if (narrow(begin)) return begin + 1;
  }
  restore();
  return index + 1;
}

/// Keeps those work-items active that enter the region (again); returns true if any do.
bool Regions::narrow(std::uint32_t begin) {
  const Instruction& x = kernel_.code[begin];
  const std::int64_t iteration = regions_.back().iteration;
  if (x.op == Op::loop_begin) {
    items_.keep(x.args[0], [&](Cell count) { return iteration < count.integer; });
    items_.set(begin, [&](std::uint32_t, unsigned) { return put(iteration); });
  } else {
    items_.keep(x.args[0], [](Cell condition) { return condition.integer != 0; });
  }
  return !items_.active().empty();
}

/// Ends the innermost region.
void Regions::restore() {
  items_.activate(std::move(regions_.back().outside));
  regions_.pop_back();
}

}  // namespace imago::interpreter
