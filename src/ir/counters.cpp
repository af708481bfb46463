// This file renders the synchronisation between the work-groups of a kernel. One work-item acts for
// its whole group. Barriers make the stores of the others visible to it before it releases, and the
// values that it acquires visible to them.
#include "ir/counters.hpp"

#include <algorithm>

#include "ir/spelling.hpp"

namespace imago::ir {
namespace {

struct Texts {
  const char *take, *await, *finish;
};

// A waiting group polls without acquiring, because acquiring empties a cache on GPUs that others
// still use, and acquires once at the end. Tickets only count started groups, so they need no
// memory order. The last group to finish is the only user of the counters: every ticket is taken,
// and no group waits.
constexpr Texts kOfSeveral{
    R"(int take_ticket(volatile __global atomic_int* counters, __local int* ticket) {
  if (get_local_id(0) == 0)
    *ticket = atomic_fetch_add_explicit(counters, 1, memory_order_relaxed, memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  return *ticket;
}
)",
    R"(void await_groups(volatile __global atomic_int* counters, int groups) {
  if (get_local_id(0) == 0) {
    while (atomic_load_explicit(counters + 1, memory_order_relaxed, memory_scope_device) < groups)
      ;
    atomic_load_explicit(counters + 1, memory_order_acquire, memory_scope_device);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
)",
    R"(void finish_group(volatile __global atomic_int* counters, int groups) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) != 0) return;
  if (atomic_fetch_add_explicit(counters + 1, 1, memory_order_acq_rel, memory_scope_device) <
      groups - 1)
    return;
  atomic_store_explicit(counters, 0, memory_order_relaxed, memory_scope_device);
  atomic_store_explicit(counters + 1, 0, memory_order_relaxed, memory_scope_device);
}
)"};

/// Functions for groups of one work-item, which need no barriers.
constexpr Texts kOfOne{
    R"(int take_ticket(volatile __global atomic_int* counters) {
  return atomic_fetch_add_explicit(counters, 1, memory_order_relaxed, memory_scope_device);
}
)",
    R"(void await_groups(volatile __global atomic_int* counters, int groups) {
  while (atomic_load_explicit(counters + 1, memory_order_relaxed, memory_scope_device) < groups)
    ;
  atomic_load_explicit(counters + 1, memory_order_acquire, memory_scope_device);
}
)",
    R"(void finish_group(volatile __global atomic_int* counters, int groups) {
  if (atomic_fetch_add_explicit(counters + 1, 1, memory_order_acq_rel, memory_scope_device) <
      groups - 1)
    return;
  atomic_store_explicit(counters, 0, memory_order_relaxed, memory_scope_device);
  atomic_store_explicit(counters + 1, 0, memory_order_relaxed, memory_scope_device);
}
)"};

bool uses(const Kernel& kernel, Op op) {
  return std::any_of(kernel.code.begin(), kernel.code.end(),
                     [op](const Instruction& x) { return x.op == op; });
}

bool is_alone(const Kernel& kernel) { return kernel.work_group_size == 1; }

std::string ticket_name(const Memory& counters) { return counters.name + "_ticket"; }

}  // namespace

std::string counter_functions(const Kernel& kernel) {
  const Texts& texts = is_alone(kernel) ? kOfOne : kOfSeveral;
  return joined({uses(kernel, Op::take_ticket) ? texts.take : "",
                 uses(kernel, Op::await_groups) ? texts.await : "",
                 uses(kernel, Op::finish_group) ? texts.finish : ""});
}

std::string counter_functions() {
  return joined({kOfSeveral.take, kOfSeveral.await, kOfSeveral.finish});
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
