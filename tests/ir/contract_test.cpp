// This file tests that contraction to fma keeps the results of a kernel, and that dead code is
// removed.
#include "ir/contract.hpp"

#include "ir/kernels.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

/// Returns a kernel that stores f(a, b, c, d) of four parameters.
ir::Kernel formula(const std::function<Value(Builder&, Value, Value, Value, Value)>& f) {
  return kernel(1, [&](Builder& b) {
    const auto out = b.global("out", kDouble, false);
    const Value x = b.parameter("x", kDouble), y = b.parameter("y", kDouble);
    const Value z = b.parameter("z", kDouble), w = b.parameter("w", kDouble);
    b.store(out, b.integer(0), f(b, x, y, z, w));
  });
}

/// Returns its value for small whole numbers, where no rounding occurs.
double value_of(const ir::Kernel& kernel) {
  std::vector<double> out(1);
  interpreter::run(kernel, 1,
                   std::vector<interpreter::Binding>{interpreter::bind(out), 3.0, 5.0, 7.0, 11.0});
  return out[0];
}

}  // namespace

TEST_CASE("Sums with products become fma", "[ir][contract]") {
  struct Case {
    std::function<Value(Builder&, Value, Value, Value, Value)> f;
    double value;
    int fmas, muls, negs;
  };
  const std::vector<Case> cases{
      {[](Builder&, Value x, Value y, Value z, Value) { return x * y + z; }, 22, 1, 0, 0},
      {[](Builder&, Value x, Value y, Value z, Value) { return z + x * y; }, 22, 1, 0, 0},
      {[](Builder&, Value x, Value y, Value z, Value) { return x * y - z; }, 8, 1, 0, 1},
      {[](Builder&, Value x, Value y, Value z, Value) { return z - x * y; }, -8, 1, 0, 1},
      {[](Builder&, Value x, Value y, Value z, Value w) { return x * y + z * w; }, 92, 1, 1, 0},
      {[](Builder&, Value x, Value y, Value z, Value w) { return x * y - z * w; }, -62, 1, 1, 1},
      {[](Builder&, Value x, Value y, Value, Value) { return x - ir::scaled(y, 4); }, -17, 1, 0, 0},
      {[](Builder& b, Value x, Value y, Value, Value) { return x * y - b.real(4, kDouble); }, 11, 1,
       0, 0},
      {[](Builder& b, Value x, Value y, Value z, Value) { return z - b.unary(Op::neg, x) * y; }, 22,
       1, 0, 0},
      {[](Builder&, Value x, Value y, Value z, Value w) { return x * y + z * w + x * w; }, 125, 2,
       1, 0},
      {[](Builder&, Value x, Value y, Value z, Value) { return (x * y + z) * (x * y); }, 330, 0, 2,
       0},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO("formula " << i);
    const ir::Kernel plain = formula(cases[i].f);
    const ir::Kernel contracted = ir::contract(plain);
    CHECK(count(plain, Op::fma) == 0);
    CHECK(value_of(plain) == cases[i].value);
    CHECK(value_of(contracted) == cases[i].value);
    CHECK(count(contracted, Op::fma) == cases[i].fmas);
    CHECK(count(contracted, Op::mul) == cases[i].muls);
    CHECK(count(contracted, Op::neg) == cases[i].negs);
  }
}

TEST_CASE("An fma rounds once", "[ir][contract]") {
  const ir::Kernel plain = kernel(1, [](Builder& b) {
    const auto out = b.global("out", kFloat, false);
    const Value x = b.parameter("x", kFloat);
    b.store(out, b.integer(0), x * x - b.real(1, kFloat));
  });
  const float x = 1 + 0x1p-13f;  // the square needs 27 bits
  std::vector<float> twice(1), once(1);
  interpreter::run(plain, 1,
                   std::vector<interpreter::Binding>{interpreter::bind(twice), double{x}});
  interpreter::run(ir::contract(plain), 1,
                   std::vector<interpreter::Binding>{interpreter::bind(once), double{x}});
  CHECK(twice[0] == 0x1p-12f);
  CHECK(once[0] == 0x1p-12f + 0x1p-26f);
}

TEST_CASE("Integers are not contracted", "[ir][contract]") {
  const ir::Kernel contracted = ir::contract(kernel(1, [](Builder& b) {
    const auto out = b.global("out", kInt, false);
    const Value n = b.parameter("n", kInt);
    b.store(out, n * n + n, n);
  }));
  CHECK(count(contracted, Op::fma) == 0);
}

TEST_CASE("Dead code goes, effects stay in order", "[ir][contract]") {
  const ir::Kernel plain = kernel(2, [](Builder& b) {
    const auto in = b.global("in", kFloat, true);
    const auto out = b.global("out", kFloat, false);
    const auto box = b.local("box", kFloat, 2);
    const Value id = b.local_id(2);
    const Value dead = b.load(in, id) * b.real(3, kFloat);
    b.store(box, id, b.load(in, id) + b.real(1, kFloat));
    b.barrier();
    b.loop(2, [&](Value i) {
      b.when(i < 1, [&] { b.store(out, id, b.load(box, b.integer(1) - id) + b.real(2, kFloat)); });
      (void)(dead * dead);
    });
  });
  const ir::Kernel contracted = ir::contract(plain);
  CHECK(count(plain, Op::mul) == 2);
  CHECK(count(contracted, Op::mul) == 0);
  CHECK(count(contracted, Op::load) == count(plain, Op::load) - 1);
  for (const Op op :
       {Op::store, Op::barrier, Op::loop_begin, Op::loop_end, Op::when_begin, Op::when_end}) {
    CHECK(count(contracted, op) == count(plain, op));
  }
  std::vector<float> in{10, 20}, out(2);
  interpreter::run(
      contracted, 1,
      std::vector<interpreter::Binding>{interpreter::bind(in), interpreter::bind(out)});
  CHECK(out == std::vector<float>{23, 13});
}

}  // namespace imago::test
