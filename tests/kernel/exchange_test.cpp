// This file checks the description of exchanges between work-items.
#include <set>

#include "kernel/exchange.hpp"
#include "plan/cuts.hpp"
#include "plan/make_program.hpp"
#include "plan/planner.hpp"
#include "problem/make_problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago::kernel {
namespace {

std::vector<Step> steps_of(const Transform& transform, const Parameters& wish = {}) {
  const auto facts = test::large_gpu();
  std::vector<Step> all;
  for (const lines::Request& line :
       plan::lines_of(problem::make_problem(transform), false, wish, facts)) {
    const Program program = plan::make_program(line, facts, plan::complete(line, facts, wish));
    all.insert(all.end(), program.steps.begin(), program.steps.end());
  }
  return all;
}

std::vector<Step> many_steps() {
  std::vector<Step> all;
  const auto add = [&](const Transform& transform) {
    const auto steps = steps_of(transform);
    all.insert(all.end(), steps.begin(), steps.end());
  };
  for (const std::size_t n : {8, 36, 64, 242, 286, 360, 1000, 1155, 4096, 29120, 65536}) {
    add({.lengths = {n}, .batch = 64});
    add({.kind = Kind::real, .lengths = {2 * n}, .batch = 64});
    add({.kind = Kind::dct3, .lengths = {n}, .batch = 64});
  }
  add({.lengths = {8, 8, 8}, .batch = 64});
  add({.lengths = {48, 20}, .batch = 64});
  add({.kind = Kind::dct2, .lengths = {40, 40}, .batch = 64});
  return all;
}

bool of_pass(const Registers& registers) {
  return registers.order == Registers::Order::read || registers.order == Registers::Order::written;
}

/// Calls body(register, point) for every point that the work-items of a transform hold.
template <class Body>
void over_registers(const Step& step, const Registers& registers, Body body) {
  const std::int64_t items = step.group().items, radix = step.passes[registers.pass].radix;
  for (std::int64_t item = 0; item < items; ++item) {
    for (std::int64_t i = 0; i * items * radix < static_cast<std::int64_t>(step.length); ++i) {
      for (std::int64_t leg = 0; leg < radix; ++leg) {
        const Register at{item, i, leg};
        if (const auto point = point_of(step, registers, at)) body(at, *point);
      }
    }
  }
}

/// Returns the index that the digits give for the point in a register.
std::uint64_t point_by(const std::vector<Digit>& digits, const Register& at) {
  std::uint64_t point = 0;
  for (const Digit& digit : digits) {
    const std::int64_t counted = digit.holder == Digit::Holder::item        ? at.item
                                 : digit.holder == Digit::Holder::butterfly ? at.butterfly
                                                                            : at.leg;
    point += static_cast<std::uint64_t>(counted) / digit.from % digit.extent * digit.weight;
  }
  return point;
}

TEST_CASE("an exchange finds every point in one register before it and in one behind it") {
  std::size_t checked = 0;
  for (const Step& step : many_steps()) {
    for (const RegisterExchange& exchange : exchanges_of(step)) {
      for (const Registers& side : {exchange.before, exchange.after}) {
        if (!of_pass(side)) continue;
        std::set<std::int64_t> points;
        std::size_t held = 0;
        over_registers(step, side,
                       [&](const Register&, std::int64_t point) { points.insert(point), ++held; });
        CHECK(held == step.length);
        CHECK(points.size() == step.length);
        CHECK(*points.rbegin() + 1 == static_cast<std::int64_t>(step.length));
        ++checked;
      }
    }
  }
  CHECK(checked > 50);
}

TEST_CASE("the digits of a point's index say what the index map says") {
  std::size_t checked = 0, without = 0;
  for (const Step& step : many_steps()) {
    for (const RegisterExchange& exchange : exchanges_of(step)) {
      for (const Registers& side : {exchange.before, exchange.after}) {
        const auto digits = digits_of(step, side);
        if (!digits) {
          ++without;
          continue;
        }
        bool same = true;
        over_registers(step, side, [&](const Register& at, std::int64_t point) {
          same = same && point_by(*digits, at) == static_cast<std::uint64_t>(point);
        });
        CHECK(same);
        ++checked;
      }
    }
  }
  CHECK(checked > 20);
  CHECK(without > 0);  // paired butterflies, elements, work-items without a butterfly
}

TEST_CASE("between two passes the digits of work-items and legs change places") {
  KernelParameters kernel{.length = 64, .radices = {8, 8}, .items = 8};
  const auto steps = steps_of({.lengths = {64}, .batch = 64},
                              {.mapping = Mapping::work_group, .kernels = {kernel}});
  REQUIRE(steps.size() == 1);
  const auto exchanges = exchanges_of(steps[0]);
  REQUIRE(exchanges.size() == 1);
  using Holder = Digit::Holder;
  CHECK(digits_of(steps[0], exchanges[0].before) ==
        std::vector<Digit>{{Holder::leg, 8, 1, 8}, {Holder::item, 8, 1, 1}});
  CHECK(digits_of(steps[0], exchanges[0].after) ==
        std::vector<Digit>{{Holder::leg, 8, 1, 1}, {Holder::item, 8, 1, 8}});
}

TEST_CASE("an exchange leaves room for the next one where work-items keep their digits") {
  KernelParameters kernel{.length = 242, .radices = {11, 2, 11}, .items = 11};
  const auto keeps = steps_of({.lengths = {242}, .batch = 64},
                              {.mapping = Mapping::work_group, .kernels = {kernel}});
  const auto kept = exchanges_of(keeps.at(0));
  REQUIRE(kept.size() == 2);
  CHECK(kept[0].leaves_room_for(keeps[0], kept[1]));
  kernel.items = 22;
  const auto moves = steps_of({.lengths = {242}, .batch = 64},
                              {.mapping = Mapping::work_group, .kernels = {kernel}});
  const auto moved = exchanges_of(moves.at(0));
  REQUIRE(moved.size() == 2);
  CHECK_FALSE(moved[0].leaves_room_for(moves[0], moved[1]));
}

}  // namespace
}  // namespace imago::kernel
