// This file tests which pairs of floats are normalised.
#include "ir/pairs.hpp"

#include "ir/kernels.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

using ir::Op;

/// Returns for each sum and product of a kernel, in order, whether it is raw.
std::vector<bool> raw_of(const std::function<ir::Value(ir::Builder&, ir::Value)>& body) {
  const ir::Kernel pairs = ir::in_pairs(kernel(1, [&](ir::Builder& b) {
    const auto in = b.global("in", kDouble, true), out = b.global("out", kDouble, false);
    b.store(out, b.integer(0), body(b, b.load(in, b.integer(0))));
  }));
  const std::vector<bool> all = ir::raw_pairs(pairs);
  std::vector<bool> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Op op = pairs.code[i].op;
    if (op == Op::add || op == Op::sub || op == Op::mul || op == Op::fma) found.push_back(all[i]);
  }
  return found;
}

}  // namespace

TEST_CASE("Pairs that only sums use are raw, but no sums of them", "[ir][pairs]") {
  using Flags = std::vector<bool>;
  CHECK(raw_of([](auto&, auto x) { return x * x; }) == Flags{false});
  CHECK(raw_of([](auto&, auto x) { return x * x + x; }) == Flags{true, false});
  CHECK(raw_of([](auto&, auto x) { return x + x - x + x; }) == Flags{true, false, false});
  CHECK(raw_of([](auto&, auto x) { return (x + x) * x; }) == Flags{false, false});
  CHECK(raw_of([](auto& b, auto x) { return b.fma(x, x, x * x); }) == Flags{true, false});
  CHECK(raw_of([](auto& b, auto x) { return b.fma(x, x, x + x); }) == Flags{false, false});
  CHECK(raw_of([](auto& b, auto x) { return b.fma(x, x, x) + x; }) == Flags{false, false});
}

}  // namespace imago::test
