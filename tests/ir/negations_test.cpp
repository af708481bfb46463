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

/// Uses of negations that a barrier, or a loop with one, parts from them.
int crossing(const ir::Kernel& kernel) {
  int found = 0;
  for (std::uint32_t use = 0; use < kernel.code.size(); ++use) {
    for (const std::uint32_t argument : kernel.code[use].args) {
      if (argument == ir::kNone || kernel.code[argument].op != Op::neg) continue;
      if (!kernel.code[argument].type.is_float()) continue;
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

/// A kernel of four work-items; `body` has one element of `in` for each.
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

}  // namespace imago::test
