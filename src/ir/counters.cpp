// This file renders what orders the work-groups of a kernel. One work-item of a group speaks for
// all: barriers make what the others stored its own before it releases, and what it acquired
// theirs.
#include "ir/counters.hpp"

#include <algorithm>

#include "ir/spelling.hpp"

namespace imago::ir {
namespace {

bool uses(const Kernel& kernel, Op op) {
  return std::any_of(kernel.code.begin(), kernel.code.end(),
                     [op](const Instruction& x) { return x.op == op; });
}

/// A group of one work-item needs neither a speaker nor barriers.
bool is_alone(const Kernel& kernel) { return kernel.work_group_size == 1; }

/// Only who starts first counts, so nothing need be ordered.
std::string take_function(bool alone) {
  const char* taken =
      "atomic_fetch_add_explicit(counters, 1, memory_order_relaxed, "
      "memory_scope_device);\n";
  if (alone)
    return joined({"int take_ticket(", kCountersType, "counters) {\n  return ", taken, "}\n"});
  return joined({"int take_ticket(", kCountersType,
                 "counters, __local int* ticket) {\n"
                 "  if (get_local_id(0) == 0)\n"
                 "    *ticket = ",
                 taken,
                 "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "  return *ticket;\n"
                 "}\n"});
}

std::string await_function(bool alone) {
  return joined({"void await_groups(", kCountersType, "counters, int groups) {\n",
                 alone ? "" : "  if (get_local_id(0) == 0)\n  ",
                 "  while (atomic_load_explicit(counters + 1, memory_order_acquire, "
                 "memory_scope_device) < groups) {}\n",
                 alone ? "" : "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n", "}\n"});
}

/// The last group is alone with the counters: every ticket is taken, and nobody waits.
std::string finish_function(bool alone) {
  return joined({"void finish_group(", kCountersType, "counters, int groups) {\n",
                 alone ? ""
                       : "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
                         "  if (get_local_id(0) != 0) return;\n",
                 "  if (atomic_fetch_add_explicit(counters + 1, 1, memory_order_acq_rel, "
                 "memory_scope_device) + 1 < groups) return;\n"
                 "  atomic_store_explicit(counters, 0, memory_order_relaxed, "
                 "memory_scope_device);\n"
                 "  atomic_store_explicit(counters + 1, 0, memory_order_relaxed, "
                 "memory_scope_device);\n"
                 "}\n"});
}

std::string ticket_name(const Memory& counters) { return counters.name + "_ticket"; }

}  // namespace

std::string counter_functions(const Kernel& kernel) {
  const bool alone = is_alone(kernel);
  return joined({uses(kernel, Op::take_ticket) ? take_function(alone) : "",
                 uses(kernel, Op::await_groups) ? await_function(alone) : "",
                 uses(kernel, Op::finish_group) ? finish_function(alone) : ""});
}

std::string ticket_declaration(const Kernel& kernel) {
  if (is_alone(kernel) || !uses(kernel, Op::take_ticket)) return "";
  const auto counters = std::find_if(kernel.memories.begin(), kernel.memories.end(),
                                     [](const Memory& memory) { return memory.counters; });
  return joined({"  __local int ", ticket_name(*counters), ";\n"});
}

std::string ticket_taken(const Kernel& kernel, const Instruction& x) {
  const Memory& counters = kernel.memories[x.memory];
  if (is_alone(kernel)) return joined({"take_ticket(", counters.name, ")"});
  return joined({"take_ticket(", counters.name, ", &", ticket_name(counters), ")"});
}

std::string groups_counted(const Kernel& kernel, const Instruction& x, const std::string& groups) {
  const char* function = x.op == Op::await_groups ? "await_groups(" : "finish_group(";
  return joined({function, kernel.memories[x.memory].name, ", ", groups, ");"});
}

}  // namespace imago::ir
