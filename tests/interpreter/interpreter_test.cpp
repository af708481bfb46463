// This file tests that the interpreter computes as OpenCL does, and that it reports planted errors.
#include "interpreter/interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ir/kernels.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

using Bindings = std::vector<interpreter::Binding>;
using ir::Builder;
using ir::Op;
using ir::Value;

/// Returns the result that a kernel of one work-item stores for two integers.
template <class T>
T integer_result(ir::Type type, Op op, T x, T y) {
  std::vector<T> out(1);
  const ir::Kernel k = kernel(1, [&](Builder& b) {
    const auto memory = b.global("out", type, false);
    const Value a = b.parameter("a", type), c = b.parameter("c", type);
    b.store(memory, b.integer(0), b.binary(op, a, c));
  });
  interpreter::run(k, 1, Bindings{interpreter::bind(out), std::int64_t{x}, std::int64_t{y}});
  return out[0];
}

/// Two work-items that exchange their values through local memory.
ir::Kernel exchange(bool with_barrier) {
  return kernel(2, [&](Builder& b) {
    const auto data = b.global("data", kFloat, false);
    const auto box = b.local("box", kFloat, 2);
    const Value id = b.local_id(2), at = b.group_id() * 2 + b.convert(id, kLong);
    b.store(box, id, b.load(data, at));
    if (with_barrier) b.barrier();
    b.store(data, at, b.load(box, b.binary(Op::bit_xor, id, b.integer(1))));
  });
}

}  // namespace

TEST_CASE("Work-groups run in turn, work-items in lockstep", "[ir][interpreter]") {
  std::vector<float> data{1, 2, 3, 4, 5, 6};
  interpreter::run(exchange(true), 3, Bindings{interpreter::bind(data)});
  CHECK(data == std::vector<float>{2, 1, 4, 3, 6, 5});
}

TEST_CASE("Single precision rounds after every operation", "[ir][interpreter]") {
  const ir::Kernel k = kernel(1, [](Builder& b) {
    const auto out = b.global("out", kFloat, false);
    const Value x = b.parameter("x", kFloat);
    b.store(out, b.integer(0), (x + b.real(1, kFloat)) - b.real(1, kFloat));
    b.store(out, b.integer(1), b.unary(Op::rint, x * b.real(0x1p30, kFloat) + b.real(1.5, kFloat)));
  });
  std::vector<float> out(2);
  interpreter::run(k, 1, Bindings{interpreter::bind(out), 0x1p-30});
  CHECK(out == std::vector<float>{0, 2});
}

TEST_CASE("Halves widen as they are loaded and round as they are stored", "[ir][interpreter]") {
  const ir::Kernel k = kernel(1, [](Builder& b) {
    const auto data = b.global("data", kHalf, false), pairs = b.global("pairs", kHalf2, false);
    const Value x = b.load_strided(data, b.integer(0), 2, 2);
    CHECK(x.type() == kFloat2);
    CHECK(b.load(pairs, b.integer(1)).type() == kFloat2);
    CHECK(b.load_if(b.parameter("n", kInt) < 1, data, b.integer(0)).type() == kFloat);
    b.store(pairs, b.integer(1), x * b.real(1.0 / 3, kFloat2));
    b.store(data, b.integer(1), b.load(data, b.integer(1)) + b.real(65000, kFloat));
  });
  std::vector<std::uint16_t> data{0x3c00, 0x7bff, 0xc000, 0}, pairs(4);  // 1, 65504, -2, 0
  interpreter::run(k, 1,
                   Bindings{interpreter::bind(data), interpreter::bind(pairs), std::int64_t{0}});
  CHECK(data == std::vector<std::uint16_t>{0x3c00, 0x7c00, 0xc000, 0});
  CHECK(pairs == std::vector<std::uint16_t>{0, 0, 0x3555, 0xb955});  // 1/3, -2/3
}

TEST_CASE("Only global memory has halves", "[ir][builder]") {
  Builder b("sample", 1);
  CHECK_THROWS_WITH(b.local("box", kHalf, 4), ContainsSubstring("box has short numbers"));
  CHECK_THROWS_WITH(b.private_array("own", kHalf2, 4), ContainsSubstring("own has short numbers"));
  CHECK_THROWS_WITH(b.parameter("scale", kHalf), ContainsSubstring("a value has halves"));
  CHECK_THROWS_WITH(b.convert(b.real(1, kFloat), kHalf), ContainsSubstring("a value has halves"));
}

TEST_CASE("Integers wrap", "[ir][interpreter]") {
  constexpr std::int32_t low = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t high = std::numeric_limits<std::int32_t>::max();
  CHECK(integer_result(kInt, Op::add, high, 1) == low);
  CHECK(integer_result(kInt, Op::mul, 65536, 65536) == 0);
  CHECK(integer_result(kInt, Op::div, low, -1) == low);
  CHECK(integer_result(kInt, Op::mod, 17, 5) == 2);
  CHECK(integer_result(kInt, Op::shift_left, 3, 31) == low);
  CHECK(integer_result(kInt, Op::max, low, 7) == 7);
  CHECK(integer_result<std::int64_t>(kLong, Op::mul, 65536, 65536) == std::int64_t{1} << 32);
}

TEST_CASE("Quotients and remainders of bounded integers are exact", "[ir][builder]") {
  const std::int64_t largest = GENERATE(63, 1023, 46340, 46341, 0x7ffffffe);
  const std::int64_t divisor = GENERATE(1, 2, 3, 7, 11, 13, 49, 1001, 46341, 0x7ffffffe);
  const ir::Kernel k = kernel(1, [&](Builder& b) {
    const auto out = b.global("out", kInt, false);
    // The builder knows the bound of an argument only from a min.
    const Value x = b.binary(Op::min, b.parameter("x", kInt), b.integer(largest));
    b.store(out, b.integer(0), x / divisor);
    b.store(out, b.integer(1), x % divisor);
  });
  std::int64_t wrong = 0;
  const auto check = [&](std::int64_t x) {
    std::vector<std::int32_t> out(2);
    interpreter::run(k, 1, Bindings{interpreter::bind(out), x});
    wrong += out[0] != x / divisor || out[1] != x % divisor;
  };
  // A quotient can only be wrong next to a multiple of the divisor.
  for (std::int64_t i = 0; i <= std::min<std::int64_t>(largest / divisor, 2000); ++i) {
    for (const std::int64_t multiple : {i * divisor, (largest / divisor - i) * divisor}) {
      for (std::int64_t x = std::max<std::int64_t>(0, multiple - 1);
           x <= std::min(largest, multiple + 1); ++x)
        check(x);
    }
  }
  CAPTURE(largest, divisor);
  CHECK(wrong == 0);
}

TEST_CASE("Vectors: shuffles, strides, lane constants, arrays of the work-item",
          "[ir][interpreter]") {
  const ir::Kernel k = kernel(1, [](Builder& b) {
    const auto in = b.global("in", kFloat, true);
    const auto out = b.global("out", kFloat, false);
    const auto pairs = b.global("pairs", kFloat2, false);
    const auto tmp = b.private_array("tmp", kFloat, 8);
    const Value zero = b.integer(0);
    const Value a = b.load_strided(in, b.integer(1), 2, 4);  // 1 3 5 7
    const Value lanes = b.convert(b.lane_constants({0, 10, 20, 30}), kFloat.with_lanes(4));
    b.store_strided(tmp, zero, a, 2);
    b.store_strided(tmp, b.integer(1), a + lanes, 2);
    const Value both = b.load(tmp, zero, 8);  // 1 1 3 13 5 25 7 37
    b.store(out, zero, b.shuffle(both, both, {7, 6, 5, 4, 3, 2, 9, 8}));
    b.store(pairs, b.integer(1), b.shuffle(both, both, {3, 5}));
    b.store(out, b.integer(8), b.extract(both, 7));
  });
  std::vector<float> in{0, 1, 2, 3, 4, 5, 6, 7}, out(9), pairs(4);
  interpreter::run(
      k, 1, Bindings{interpreter::bind(in), interpreter::bind(out), interpreter::bind(pairs)});
  CHECK(out == std::vector<float>{37, 7, 25, 5, 13, 3, 1, 1, 37});
  CHECK(pairs == std::vector<float>{0, 0, 13, 25});
}

TEST_CASE("Loops and conditions hold for each work-item", "[ir][interpreter]") {
  const ir::Kernel k = kernel(4, [](Builder& b) {
    const auto out = b.global("out", kInt, false);
    const Value id = b.local_id(4);
    b.store(out, id, b.integer(-1));
    b.loop(id, [&](Value i) { b.when(i < 2, [&] { b.store(out, id, i * 10 + id); }); });
  });
  std::vector<std::int32_t> out(4);
  interpreter::run(k, 1, Bindings{interpreter::bind(out)});
  CHECK(out == std::vector<std::int32_t>{-1, 1, 12, 13});
}

TEST_CASE("A conditional load touches no memory when the condition is false", "[ir][interpreter]") {
  const ir::Kernel k = kernel(4, [](Builder& b) {
    const auto in = b.global("in", kFloat, true);
    const auto out = b.global("out", kFloat, false);
    const Value id = b.local_id(4), n = b.parameter("n", kInt);
    b.store(out, id, b.load_if(id < n, in, id));
  });
  std::vector<float> in{5, 6}, out(4, -1.0f);
  interpreter::run(k, 1, Bindings{interpreter::bind(in), interpreter::bind(out), std::int64_t{2}});
  CHECK(out == std::vector<float>{5, 6, 0, 0});
  CHECK_THROWS_WITH(
      interpreter::run(k, 1,
                       Bindings{interpreter::bind(in), interpreter::bind(out), std::int64_t{3}}),
      ContainsSubstring("kernel sample: load outside the memory of 2 elements: in[2], "
                        "work-item 2 of group 0"));
}

TEST_CASE("Races in local memory are reported", "[ir][interpreter]") {
  std::vector<float> data{1, 2};
  CHECK_THROWS_WITH(
      interpreter::run(exchange(false), 1, Bindings{interpreter::bind(data)}),
      ContainsSubstring("data race: read of what another work-item stores: box[1], work-item 0"));

  const auto late_store = kernel(2, [](Builder& b) {
    const auto box = b.local("box", kFloat, 2);
    const Value id = b.local_id(2);
    b.store(box, id, b.real(0, kFloat));
    b.barrier();
    b.store(box, id, b.load(box, b.integer(0)));
  });
  CHECK_THROWS_WITH(interpreter::run(late_store, 1, Bindings{}),
                    ContainsSubstring("data race: store to what another work-item reads: box[0]"));

  const auto same_element = kernel(2, [](Builder& b) {
    const auto box = b.local("box", kFloat, 2);
    b.store(box, b.integer(1), b.real(0, kFloat));
  });
  CHECK_THROWS_WITH(interpreter::run(same_element, 1, Bindings{}),
                    ContainsSubstring("data race: two work-items store: box[1]"));
}

TEST_CASE("Races in global memory are reported across work-groups", "[ir][interpreter]") {
  const auto one_element = kernel(1, [](Builder& b) {
    const auto out = b.global("out", kFloat, false);
    b.store(out, b.integer(3), b.real(1, kFloat));
  });
  std::vector<float> out(4);
  CHECK_NOTHROW(interpreter::run(one_element, 1, Bindings{interpreter::bind(out)}));
  CHECK_THROWS_WITH(
      interpreter::run(one_element, 2, Bindings{interpreter::bind(out)}),
      ContainsSubstring("data race: two work-items store: out[3], work-item 0 of group 1"));

  const auto reversed = kernel(1, [](Builder& b) {
    const auto in = b.global("in", kFloat, true);
    const auto out = b.global("out", kFloat, false);
    b.store(out, b.integer(1, kLong) - b.group_id(), b.load(in, b.group_id()));
  });
  std::vector<float> in(2), same(2);
  CHECK_NOTHROW(
      interpreter::run(reversed, 2, Bindings{interpreter::bind(in), interpreter::bind(same)}));
  CHECK_THROWS_WITH(
      interpreter::run(reversed, 2, Bindings{interpreter::bind(same), interpreter::bind(same)}),
      ContainsSubstring("data race: read of what another work-item stores: in[1]"));
}

TEST_CASE("In place, a work-group may store behind a barrier what it read before",
          "[ir][interpreter]") {
  const auto reversal = [](bool with_barrier) {
    return kernel(2, [&](Builder& b) {
      const auto in = b.global("in", kFloat, true);
      const auto out = b.global("out", kFloat, false);
      const Value id = b.local_id(2);
      const Value value = b.load(in, b.binary(Op::bit_xor, id, b.integer(1)));
      if (with_barrier) b.barrier();
      b.store(out, id, value);
    });
  };
  std::vector<float> data{1, 2};
  interpreter::run(reversal(true), 1, Bindings{interpreter::bind(data), interpreter::bind(data)});
  CHECK(data == std::vector<float>{2, 1});
  CHECK_THROWS_WITH(interpreter::run(reversal(false), 1,
                                     Bindings{interpreter::bind(data), interpreter::bind(data)}),
                    ContainsSubstring("data race: store to what another work-item reads: out[0]"));
}

TEST_CASE("Indices outside memory are reported for every space", "[ir][interpreter]") {
  const auto at = [](ir::Space space, std::int64_t index) {
    return kernel(1, [&](Builder& b) {
      const auto out = b.global("out", kFloat2, false);
      const auto box = b.local("box", kFloat, 8);
      const auto tmp = b.private_array("tmp", kFloat, 8);
      const Value value = b.real(0, kFloat.with_lanes(4));
      if (space == ir::Space::global) b.store(out, b.integer(index), b.real(0, kFloat2));
      if (space == ir::Space::local) b.store(box, b.integer(index), value);
      if (space == ir::Space::private_) b.store(tmp, b.integer(index), value);
    });
  };
  std::vector<float> out(8);
  const Bindings bindings{interpreter::bind(out)};
  CHECK_NOTHROW(interpreter::run(at(ir::Space::global, 3), 1, bindings));
  CHECK_NOTHROW(interpreter::run(at(ir::Space::local, 4), 1, bindings));
  CHECK_NOTHROW(interpreter::run(at(ir::Space::private_, 4), 1, bindings));
  CHECK_THROWS_WITH(interpreter::run(at(ir::Space::global, 4), 1, bindings),
                    ContainsSubstring("store outside the memory of 4 elements: out[4]"));
  CHECK_THROWS_WITH(interpreter::run(at(ir::Space::local, 5), 1, bindings),
                    ContainsSubstring("box[8]"));
  CHECK_THROWS_WITH(interpreter::run(at(ir::Space::private_, -1), 1, bindings),
                    ContainsSubstring("tmp[-1]"));
}

TEST_CASE("Reads of memory that nobody has written are reported", "[ir][interpreter]") {
  const auto local_once = kernel(1, [](Builder& b) {
    const auto box = b.local("box", kFloat, 2);
    const Value group = b.group_id();
    b.when(group < 1, [&] { b.store(box, b.integer(1), b.real(0, kFloat)); });
    b.store(box, b.integer(0), b.load(box, b.integer(1)));
  });
  CHECK_NOTHROW(interpreter::run(local_once, 1, Bindings{}));
  CHECK_THROWS_WITH(
      interpreter::run(local_once, 2, Bindings{}),
      ContainsSubstring("read of uninitialised memory: box[1], work-item 0 of group 1"));

  const auto private_of_another = kernel(2, [](Builder& b) {
    const auto tmp = b.private_array("tmp", kFloat, 1);
    b.when(b.local_id(2) < 1, [&] { b.store(tmp, b.integer(0), b.real(0, kFloat)); });
    b.store(tmp, b.integer(0), b.load(tmp, b.integer(0)));
  });
  CHECK_THROWS_WITH(interpreter::run(private_of_another, 1, Bindings{}),
                    ContainsSubstring("read of uninitialised memory: tmp[0], work-item 1"));
}

TEST_CASE("A barrier in divergent control flow is reported", "[ir][interpreter]") {
  const auto at = [](int limit) {
    return kernel(4, [&](Builder& b) {
      b.when(b.local_id(4) < b.parameter("n", kInt) + limit, [&] { b.barrier(); });
    });
  };
  CHECK_NOTHROW(interpreter::run(at(4), 1, Bindings{std::int64_t{0}}));
  CHECK_NOTHROW(interpreter::run(at(0), 1, Bindings{std::int64_t{0}}));
  CHECK_THROWS_WITH(
      interpreter::run(at(3), 1, Bindings{std::int64_t{0}}),
      ContainsSubstring(
          "barrier in divergent control flow: 3 of 4 work-items of group 0 reach it"));
}

TEST_CASE("Stores to read-only memory and divisions by zero are reported", "[ir][interpreter]") {
  const auto store = kernel(1, [](Builder& b) {
    const auto in = b.global("in", kFloat, true);
    b.store(in, b.integer(0), b.real(1, kFloat));
  });
  std::vector<float> in(1);
  CHECK_THROWS_WITH(interpreter::run(store, 1, Bindings{interpreter::bind(in)}),
                    ContainsSubstring("read-only memory: in[0]"));
  CHECK_THROWS_WITH(integer_result(kInt, Op::div, 1, 0), ContainsSubstring("divided by zero"));
}

TEST_CASE("Malformed kernels and bindings are refused", "[ir][interpreter]") {
  ir::Kernel escaped = kernel(1, [](Builder& b) {
    const auto out = b.global("out", kInt, false);
    Value inner;
    b.loop(b.parameter("n", kInt), [&](Value i) { inner = i * 3; });
    b.store(out, b.integer(0), inner);
  });
  std::vector<std::int32_t> out(1);
  CHECK_THROWS_WITH(interpreter::run(escaped, 1, Bindings{interpreter::bind(out), std::int64_t{1}}),
                    ContainsSubstring("is used where it has no value"));
  CHECK_THROWS_WITH(interpreter::run(escaped, 1, Bindings{interpreter::bind(out)}),
                    ContainsSubstring("has 2 arguments; bound are 1"));
  ir::Kernel open = kernel(1, [](Builder& b) { b.loop(b.parameter("n", kInt), [](Value) {}); });
  CHECK_THROWS_WITH(interpreter::run(open, 1, Bindings{1.5}),
                    ContainsSubstring("n needs a binding"));
  open.code.pop_back();
  CHECK_THROWS_WITH(interpreter::run(open, 1, Bindings{std::int64_t{1}}),
                    ContainsSubstring("does not end"));
}

}  // namespace imago::test
