// This file tests the text of kernels whose work-groups synchronize with each other, and the arrays
// that the phases of a kernel share.
#include "ir/contract.hpp"
#include "ir/phases.hpp"
#include "ir/render.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

}  // namespace

TEST_CASE("One work-item of a group handles the counters", "[ir][render]") {
  const std::string text = ir::render(TwoPhases{.work_group_size = 4, .groups = 8}.kernel());
  CHECK_THAT(
      text, ContainsSubstring("void sample(__global float* data, __global float* between, volatile "
                              "__global atomic_int* counters) {\n"
                              "  __local int counters_ticket;\n"));
  CHECK_THAT(text, ContainsSubstring("= take_ticket(counters, &counters_ticket);\n"));
  CHECK_THAT(text, ContainsSubstring("    await_groups(counters, 8);\n"));
  CHECK_THAT(text, ContainsSubstring("  }\n  finish_group(counters, 16);\n}\n"));
  CHECK_THAT(text, ContainsSubstring("  if (get_local_id(0) == 0)\n"
                                     "    *ticket = atomic_fetch_add_explicit(counters, 1, "
                                     "memory_order_relaxed, memory_scope_device);\n"
                                     "  barrier(CLK_LOCAL_MEM_FENCE);\n"));
  CHECK_THAT(text, ContainsSubstring("memory_order_relaxed, memory_scope_device) < groups)\n"
                                     "      ;\n"
                                     "    atomic_load_explicit(counters + 1, "
                                     "memory_order_acquire, memory_scope_device);\n"
                                     "  }\n"
                                     "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"));
  CHECK_THAT(text, ContainsSubstring("  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
                                     "  if (get_local_id(0) != 0) return;\n"));
}

TEST_CASE("A work-group of one work-item needs no barriers for its counters", "[ir][render]") {
  const std::string text = ir::render(TwoPhases{.work_group_size = 1, .groups = 8}.kernel());
  CHECK_THAT(text, ContainsSubstring("= take_ticket(counters);\n"));
  CHECK_THAT(text, !ContainsSubstring("barrier"));
  CHECK_THAT(text, !ContainsSubstring("__local"));
  CHECK_THAT(text, !ContainsSubstring("get_local_id"));
}

TEST_CASE("Only kernels with counters have their functions", "[ir][render]") {
  const std::string text = ir::render(kernel(4, [](Builder& b) { b.barrier(); }));
  CHECK_THAT(text, !ContainsSubstring("ticket"));
  CHECK_THAT(text, !ContainsSubstring("groups"));
  CHECK_THAT(text, !ContainsSubstring("atomic"));
}

TEST_CASE("Operations on counters are neither reused nor dropped", "[ir][contract]") {
  const ir::Kernel k = ir::contract(kernel(1, [](Builder& b) {
    const auto data = b.global("data", kFloat, false);
    const auto counters = b.counters("counters");
    b.take_ticket(counters);
    const Value before = b.load(data, b.integer(0));
    b.await(counters, b.integer(2));
    b.await(counters, b.integer(2));
    b.store(data, b.integer(1), before + b.load(data, b.integer(0)));
    b.finish(counters, b.integer(4, kLong));
  }));
  CHECK(count(k, Op::take_ticket) == 1);
  CHECK(count(k, Op::await_groups) == 2);
  CHECK(count(k, Op::finish_group) == 1);
  CHECK(count(k, Op::load) == 2);
  std::vector<Op> order;
  for (const ir::Instruction& x : k.code) {
    if (x.op != Op::constant) order.push_back(x.op);
  }
  CHECK(order == std::vector<Op>{Op::take_ticket, Op::load, Op::await_groups, Op::await_groups,
                                 Op::load, Op::add, Op::store, Op::finish_group});
}

TEST_CASE("An await for zero groups adds no instruction", "[ir][builder]") {
  const ir::Kernel k = kernel(1, [](Builder& b) { b.await(b.counters("c"), b.integer(0)); });
  CHECK(count(k, Op::await_groups) == 0);
}

TEST_CASE("A kernel has one pair of counters", "[ir][builder]") {
  Builder b("sample", 1);
  b.counters("one");
  CHECK_THROWS_WITH(b.counters("two"), ContainsSubstring("two is a second pair of counters"));
}

TEST_CASE("Phases share the arrays that have the same name and type", "[ir][builder]") {
  const std::string text = ir::render(kernel(4, [](Builder& b) {
    const Value at = b.local_id(4);
    const auto box = b.local("box", kFloat, 8), own = b.private_array("own", kFloat, 2);
    b.store(box, at, b.real(1, kFloat));
    b.store(own, at, b.real(2, kFloat));
    const auto larger = b.local("box", kFloat, 64), smaller = b.private_array("own", kFloat, 1);
    CHECK(larger.index == box.index);
    CHECK(smaller.index == own.index);
    const auto pairs = b.local("box", kFloat2, 16), private_box = b.private_array("box", kFloat, 4);
    b.store(pairs, at, b.real(3, kFloat2));
    b.store(private_box, at, b.real(4, kFloat));
    CHECK(b.local("box", kFloat2, 32).index == pairs.index);
    CHECK(b.private_array("box", kFloat, 1).index == private_box.index);
  }));
  CHECK_THAT(text, ContainsSubstring("{\n  __local float box[64] __attribute__((aligned(64)));\n"
                                     "  float own[2] __attribute__((aligned(64)));\n"
                                     "  __local float2 box_2[32] __attribute__((aligned(64)));\n"
                                     "  float box_3[4] __attribute__((aligned(64)));\n"));
}

}  // namespace imago::test
