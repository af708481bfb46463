// This file tests that the interpreter runs kernels whose work-groups synchronize with each other
// under every schedule, and that it reports planted errors under every schedule that can show them.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/interpreter.hpp"
#include "ir/phases.hpp"
#include "support/catch.hpp"
#include "support/schedules.hpp"

namespace imago::test {
namespace {

using Bindings = std::vector<interpreter::Binding>;
using interpreter::Schedule;
using ir::Builder;
using ir::MemoryId;
using ir::Op;
using ir::Value;
using Order = Schedule::Order;

/// Runs both phases and returns the contents of `data`.
std::vector<float> run(const TwoPhases& phases, const Schedule& schedule) {
  std::vector<float> data = phases.data(), between(data.size());
  std::vector<std::int32_t> counters(2);
  interpreter::run(
      phases.kernel(), 2 * static_cast<std::uint64_t>(phases.groups),
      Bindings{interpreter::bind(data), interpreter::bind(between), interpreter::bind(counters)},
      schedule);
  CHECK(counters == std::vector<std::int32_t>{0, 0});
  return data;
}

/// Returns the reported error of `groups` groups of one work-item, or nothing. Their memory is
/// `data`, four numbers.
std::string report(std::uint64_t groups, const Schedule& schedule,
                   const std::function<void(Builder&, MemoryId data, MemoryId counters)>& body,
                   std::vector<std::int32_t> counters = {0, 0}) {
  const ir::Kernel k = kernel(1, [&](Builder& b) {
    const auto data = b.global("data", kFloat, false);
    body(b, data, b.counters("counters"));
  });
  std::vector<float> data(4);
  try {
    interpreter::run(k, groups, Bindings{interpreter::bind(data), interpreter::bind(counters)},
                     schedule);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

/// Returns the error of a kernel with one group per phase; a phase waits for `awaited` groups. The
/// first group stores, the others do what `use` does.
std::string report_chain(const std::vector<int>& awaited, const Schedule& schedule,
                         const std::function<void(Builder&, MemoryId data, int phase)>& use) {
  const auto phases = static_cast<int>(awaited.size());
  return report(awaited.size(), schedule, [&](Builder& b, MemoryId data, MemoryId counters) {
    const Value ticket = b.take_ticket(counters);
    for (int phase = 0; phase < phases; ++phase) {
      b.when(ir::equal(ticket, b.integer(phase)), [&] {
        b.await(counters, b.integer(awaited[static_cast<std::size_t>(phase)]));
        use(b, data, phase);
      });
    }
    b.finish(counters, b.integer(phases));
  });
}

void read(Builder& b, MemoryId data, int to) {
  b.store(data, b.integer(to), b.load(data, b.integer(0)));
}
void write(Builder& b, MemoryId data) { b.store(data, b.integer(0), b.real(1, kFloat)); }

}  // namespace

TEST_CASE("Phases compute the same under every schedule", "[interpreter][counters]") {
  const TwoPhases phases{.work_group_size = GENERATE(1, 4), .groups = GENERATE(1, 8)};
  for (const Schedule& schedule : schedules()) CHECK(run(phases, schedule) == phases.result());
}

TEST_CASE("A phase that awaits too few groups is a race under every schedule",
          "[interpreter][counters]") {
  const TwoPhases phases{.groups = 8, .awaited = GENERATE(0, 7)};
  for (const Schedule& schedule : schedules())
    CHECK_THROWS_WITH(run(phases, schedule), ContainsSubstring("data race"));
}

TEST_CASE("A phase that awaits too many groups is a deadlock under every schedule",
          "[interpreter][counters]") {
  const TwoPhases phases{.groups = 8, .awaited = 9};
  for (const Schedule& schedule : schedules())
    CHECK_THROWS_WITH(run(phases, schedule), ContainsSubstring("deadlock"));
  CHECK_THROWS_WITH(
      run(phases, {Order::in_order, 2}),
      ContainsSubstring(
          "kernel sample: deadlock: group 8 awaits 9, group 9 awaits 9, 8 groups have "
          "finished, 6 have not started"));
}

TEST_CASE("Counters that are not reset by the last group are reported", "[interpreter][counters]") {
  for (const Schedule& schedule : schedules()) {
    CHECK_THROWS_WITH(run({.groups = 8, .finishing = 17}, schedule),
                      ContainsSubstring("counters: not reset at the end: 16 tickets are taken and "
                                        "16 work-groups have finished"));
    CHECK_THROWS_WITH(run({.groups = 8, .finishing = 15}, schedule),
                      ContainsSubstring("resets the counters when 15 of 16 groups have finished"));
    CHECK_THAT(report(3, schedule,
                      [](Builder& b, MemoryId, MemoryId counters) { b.take_ticket(counters); }),
               ContainsSubstring("3 tickets are taken and 0 work-groups have finished"));
  }
}

TEST_CASE("Counters that are not 0 at the beginning are reported", "[interpreter][counters]") {
  const auto body = [](Builder& b, MemoryId, MemoryId counters) {
    b.finish(counters, b.integer(1));
  };
  CHECK(report(1, {}, body).empty());
  CHECK_THAT(report(1, {}, body, {0, 1}),
             ContainsSubstring("counters: not 0 at the beginning: 0 tickets are taken and 1"));
  CHECK_THAT(report(1, {}, body, {1, 0}), ContainsSubstring("not 0 at the beginning"));
  CHECK_THAT(report(1, {}, body, {0}), ContainsSubstring("less than two ints are bound"));
}

TEST_CASE("A group that waits by its number and not by its ticket is a deadlock",
          "[interpreter][counters]") {
  const auto body = [](Builder& b, MemoryId, MemoryId counters) {
    b.when(b.integer(0, kLong) < b.group_id(), [&] { b.await(counters, b.integer(1)); });
    b.finish(counters, b.integer(4));
  };
  CHECK(report(4, {Order::in_order, 1}, body).empty());
  CHECK(report(4, {Order::reversed, 4}, body).empty());
  CHECK_THAT(report(4, {Order::reversed, 3}, body),
             ContainsSubstring("deadlock: group 3 awaits 1, group 2 awaits 1, group 1 awaits 1, "
                               "0 groups have finished, 1 have not started"));
}

TEST_CASE("Reads and stores of different groups need an await between them",
          "[interpreter][counters]") {
  for (const Schedule& schedule : schedules()) {
    const auto store_read = [](Builder& b, MemoryId data, int phase) {
      phase == 0 ? write(b, data) : read(b, data, 3);
    };
    CHECK(report_chain({0, 1}, schedule, store_read).empty());
    CHECK_THAT(report_chain({0, 0}, schedule, store_read), ContainsSubstring("data race"));

    const auto read_store = [](Builder& b, MemoryId data, int phase) {
      phase == 0 ? read(b, data, 3) : write(b, data);
    };
    CHECK(report_chain({0, 1}, schedule, read_store).empty());
    CHECK_THAT(report_chain({0, 0}, schedule, read_store), ContainsSubstring("data race"));

    const auto store_store = [](Builder& b, MemoryId data, int) { write(b, data); };
    CHECK(report_chain({0, 1, 2}, schedule, store_store).empty());
    CHECK_THAT(report_chain({0, 1, 1}, schedule, store_store),
               ContainsSubstring("data race: two work-items store: data[0]"));
  }
}

TEST_CASE("An await for a group also covers all earlier groups", "[interpreter][counters]") {
  const auto use = [](Builder& b, MemoryId data, int phase) {
    if (phase == 0) write(b, data);
    if (phase == 2) read(b, data, 3);
  };
  for (const Schedule& schedule : schedules()) {
    CHECK(report_chain({0, 1, 2}, schedule, use).empty());
    CHECK(report_chain({0, 0, 2}, schedule, use).empty());
  }
}

TEST_CASE("A store needs an await for each group that read before", "[interpreter][counters]") {
  // The first three read in parallel; the fourth stores.
  const auto use = [](Builder& b, MemoryId data, int phase) {
    phase == 3 ? write(b, data) : read(b, data, 1 + phase);
  };
  for (const Schedule& schedule : schedules()) {
    CHECK(report_chain({0, 0, 0, 3}, schedule, use).empty());
    CHECK_THAT(report_chain({0, 0, 0, 2}, schedule, use), ContainsSubstring("data race"));
  }
  CHECK_THAT(report_chain({0, 0, 0, 2}, {Order::in_order, 1}, use),
             ContainsSubstring("data race: store to what another work-item reads: data[0], "
                               "work-item 0 of group 3; the other one is of group 2"));
}

TEST_CASE("Reads and stores take turns where each awaits the one before",
          "[interpreter][counters]") {
  const auto use = [](Builder& b, MemoryId data, int phase) {
    phase % 2 == 0 ? read(b, data, 3) : write(b, data);
  };
  for (const Schedule& schedule : schedules())
    CHECK(report_chain({0, 1, 2, 3, 4}, schedule, use).empty());
}

TEST_CASE("A turn ends where the counters are used", "[interpreter][counters]") {
  // The first group takes a ticket, so the second one is the first to finish.
  CHECK(report(3, {Order::in_order, 3}, [](Builder& b, MemoryId data, MemoryId counters) {
          const auto is = [&](int group) {
            return ir::equal(b.group_id(), b.integer(group, kLong));
          };
          b.when(is(0), [&] { b.take_ticket(counters); });
          b.when(is(1), [&] { write(b, data); });
          b.when(is(2), [&] {
            b.await(counters, b.integer(1));
            read(b, data, 3);
          });
          b.finish(counters, b.integer(3));
        }).empty());
}

TEST_CASE("Turns by chance are short", "[interpreter][counters]") {
  // The third group waits for one of two, which must be the short one.
  const auto use = [](Builder& b, MemoryId data, int phase) {
    if (phase == 0) b.loop(1000, [&](Value) { b.load(data, b.integer(1)); });
    if (phase == 1) write(b, data);
    if (phase == 2) read(b, data, 3);
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    CHECK(report_chain({0, 0, 1}, {Order::random, 2, seed}, use).empty());
}

TEST_CASE("A group takes one ticket, finishes once and does nothing behind it",
          "[interpreter][counters]") {
  CHECK_THAT(report(1, {},
                    [](Builder& b, MemoryId, MemoryId counters) {
                      b.take_ticket(counters);
                      b.take_ticket(counters);
                    }),
             ContainsSubstring("counters: group 0 takes a second ticket"));
  CHECK_THAT(report(2, {},
                    [](Builder& b, MemoryId, MemoryId counters) {
                      b.finish(counters, b.integer(4));
                      b.finish(counters, b.integer(4));
                    }),
             ContainsSubstring("counters: group 0 finishes a second time"));
  CHECK_THAT(report(2, {},
                    [](Builder& b, MemoryId data, MemoryId counters) {
                      b.finish(counters, b.integer(2));
                      b.load(data, b.integer(0));
                    }),
             ContainsSubstring("group 0 uses data when it has finished"));
}

TEST_CASE("Whole groups reach the counters", "[interpreter][counters]") {
  const auto reported = [](const std::function<void(Builder&, MemoryId)>& body) {
    const ir::Kernel k = kernel(4, [&](Builder& b) {
      const auto counters = b.counters("counters");
      b.when(b.local_id(4) < 3, [&] { body(b, counters); });
    });
    std::vector<std::int32_t> counters(2);
    CHECK_THROWS_WITH(
        interpreter::run(k, 1, Bindings{interpreter::bind(counters)}),
        ContainsSubstring("in divergent control flow: 3 of 4 work-items of group 0 reach it"));
  };
  reported([](Builder& b, MemoryId counters) { b.take_ticket(counters); });
  reported([](Builder& b, MemoryId counters) { b.finish(counters, b.integer(1)); });
  reported([](Builder& b, MemoryId counters) {
    b.await(counters, b.binary(Op::min, b.group_id(), b.integer(0, kLong)));
  });
}

TEST_CASE("Turns by chance end anywhere, and seeds repeat them", "[interpreter][counters]") {
  // Each group stores its ticket, so the order of the tickets is the order of the turns.
  const ir::Kernel k = kernel(1, [](Builder& b) {
    const auto out = b.global("out", kInt, false);
    const auto counters = b.counters("counters");
    b.store(out, b.group_id(), b.take_ticket(counters));
    b.finish(counters, b.integer(16));
  });
  const auto tickets = [&](const Schedule& schedule) {
    std::vector<std::int32_t> out(16), counters(2);
    interpreter::run(k, 16, Bindings{interpreter::bind(out), interpreter::bind(counters)},
                     schedule);
    return out;
  };
  const auto in_order = tickets({Order::in_order, 3}), reversed = tickets({Order::reversed, 16});
  CHECK(std::is_sorted(in_order.begin(), in_order.begin() + 3));
  CHECK(reversed[0] == 0);  // the last group to start has the first turn
  const auto one = tickets({Order::random, 3, 1});
  CHECK(one == tickets({Order::random, 3, 1}));
  CHECK(one != tickets({Order::random, 3, 2}));
  CHECK(one != in_order);
}

TEST_CASE("Groups that do not wait run one after the other in any order",
          "[interpreter][counters]") {
  const ir::Kernel k = kernel(1, [](Builder& b) {
    const auto out = b.global("out", kLong, false);
    b.store(out, b.group_id(), b.group_id());
  });
  for (const Schedule& schedule : schedules()) {
    std::vector<std::int64_t> out(5, -1);
    interpreter::run(k, 5, Bindings{interpreter::bind(out)}, schedule);
    CHECK(out == std::vector<std::int64_t>{0, 1, 2, 3, 4});
  }
}

}  // namespace imago::test
