// This file tests that no negation of floats crosses a barrier, and that kernels keep their
// results.
#include "ir/negations.hpp"

#include "ir/kernels.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

constexpr unsigned kItems = 4;

/// Returns true if a value of a kernel is a negation, or consists only of negations, so that
/// compilers negate it.
bool negated(const ir::Kernel& kernel, std::uint32_t index) {
  const ir::Instruction& x = kernel.code[index];
  if (x.op == Op::neg) return x.type.is_float();
  if (x.op != Op::select && x.op != Op::min && x.op != Op::pair && x.op != Op::extract)
    return false;
  bool all = x.type.is_float();
  for (const std::uint32_t argument : x.args) {
    if (argument != ir::kNone && kernel.code[argument].type.is_float())
      all = all && negated(kernel, argument);
  }
  return all;
}

/// Returns the number of uses of negated values that are separated from them by a barrier, or by a
/// loop with one.
int crossing(const ir::Kernel& kernel) {
  int found = 0;
  for (std::uint32_t use = 0; use < kernel.code.size(); ++use) {
    for (const std::uint32_t argument : kernel.code[use].args) {
      if (argument == ir::kNone || !negated(kernel, argument)) continue;
      bool parted = false;
      for (std::uint32_t i = argument; i < use; ++i) parted |= kernel.code[i].op == Op::barrier;
      found += parted ? 1 : 0;
    }
  }
  return found;
}

std::vector<float> run(const ir::Kernel& kernel) {
  std::vector<float> in{1, -2, 3, 5}, out(2 * kItems);
  interpreter::run(
      kernel, 1, std::vector<interpreter::Binding>{interpreter::bind(in), interpreter::bind(out)});
  return out;
}

struct Body {
  ir::MemoryId out, shared;
  Value item, x;
};

/// Returns a kernel of four work-items; `body` gets one element of `in` for each.
ir::Kernel sample(const std::function<void(Builder&, const Body&)>& body) {
  return kernel(kItems, [&](Builder& b) {
    const auto in = b.global("in", kFloat, true), out = b.global("out", kFloat, false);
    const auto shared = b.local("shared", kFloat, kItems);
    const Value item = b.local_id(kItems);
    body(b, {out, shared, item, b.load(in, item)});
  });
}

struct Expected {
  int before, negs, subs;  ///< crossing before; negations and differences after
};

void check(const ir::Kernel& plain, const Expected& expected) {
  CHECK(crossing(plain) == expected.before);
  const ir::Kernel changed = ir::without_crossing_negations(plain);
  CHECK(crossing(changed) == 0);
  CHECK(count(changed, Op::neg) == expected.negs);
  CHECK(count(changed, Op::sub) == expected.subs);
  CHECK(run(changed) == run(plain));
}

}  // namespace

TEST_CASE("A negation that is used behind one barrier moves there", "[ir][negations]") {
  check(sample([](Builder& b, const Body& k) {
          const Value negated = -k.x;
          b.store(k.shared, k.item, k.x);
          b.barrier();
          const Value other = b.load(k.shared, b.integer(3) - k.item);
          b.store(k.out, k.item, negated * other);
          b.when(k.item < 2, [&] { b.store(k.out, k.item + 4, negated * k.x); });
        }),
        {2, 2, 1});  // one in the block of the condition; the difference is the index
}

TEST_CASE("A negation that is used on both sides of a barrier is 0 - x", "[ir][negations]") {
  check(sample([](Builder& b, const Body& k) {
          const Value negated = -k.x;
          b.store(k.shared, k.item, negated);
          b.barrier();
          b.store(k.out, k.item, negated * b.load(k.shared, b.integer(3) - k.item));
        }),
        {1, 0, 2});
}

TEST_CASE("A negation that a loop with a barrier uses is 0 - x", "[ir][negations]") {
  check(sample([](Builder& b, const Body& k) {
          const Value negated = -k.x;
          b.loop(2, [&](Value i) {
            b.store(k.shared, k.item, negated);
            b.barrier();
            b.store(k.out, k.item + i * 4, b.load(k.shared, b.integer(3) - k.item));
            b.barrier();
          });
        }),
        {0, 0, 2});
}

TEST_CASE("Negations that no barrier parts from their uses stay", "[ir][negations]") {
  check(sample([](Builder& b, const Body& k) {
          b.store(k.shared, k.item, -k.x);
          b.barrier();
          const Value other = b.load(k.shared, b.integer(3) - k.item);
          b.store(k.out, k.item, -other);
          b.loop(2, [&](Value i) { b.store(k.out, k.item + i * 0 + 4, -(k.x * other)); });
        }),
        {0, 3, 1});
}

TEST_CASE("A choice between negations that crosses a barrier is one between differences",
          "[ir][negations]") {
  const bool used_before = GENERATE(false, true);
  check(sample([&](Builder& b, const Body& k) {
          const Value chosen = b.select(k.item < 2, -k.x, -(k.x * k.x));
          b.store(k.shared, k.item, used_before ? chosen : k.x);
          b.barrier();
          b.store(k.out, k.item, chosen * b.load(k.shared, b.integer(3) - k.item));
        }),
        {1, 0, 3});
}

TEST_CASE("Choices of choices, and vectors of negations, are made of differences, too",
          "[ir][negations]") {
  check(sample([](Builder& b, const Body& k) {
          const Value one = b.real(1, kFloat), two = b.real(2, kFloat);
          const Value inner = b.select(k.item < 1, -(k.x + one), -(k.x * k.x));
          const Value outer = b.select(k.item < 3, inner, -k.x);
          const Value both = b.pair(-(k.x * two), b.binary(Op::min, -(k.x + two), -k.x));
          b.barrier();
          b.store(k.out, k.item, outer);
          b.store(k.out, k.item + 4, b.extract(both, 0) * b.extract(both, 1));
        }),
        {3, 0, 5});
}

TEST_CASE("Values made of negations are unchanged if they do not cross a barrier",
          "[ir][negations]") {
  check(sample([](Builder& b, const Body& k) {
          const Value chosen = b.select(k.item < 2, -k.x, -(k.x * k.x));
          const Value other = b.select(k.item < 2, -(k.x + b.real(1, kFloat)), k.x);
          b.store(k.shared, k.item, chosen);
          b.barrier();
          b.store(k.out, k.item, other * b.load(k.shared, b.integer(3) - k.item));
        }),
        {0, 3, 1});
}

}  // namespace imago::test
