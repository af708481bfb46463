// This file tests which pairs of floats are normalised, and what computes their products.
#include "ir/pairs.hpp"

#include "ir/kernels.hpp"
#include "ir/render.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

using ir::Op;
using Formula = std::function<ir::Value(ir::Builder&, ir::Value)>;

/// Returns a kernel in pairs that computes one number. Memory holds doubles or pairs.
ir::Kernel in_pairs(const Formula& body, bool loads_doubles = true, bool stores_doubles = true) {
  ir::Kernel pairs = ir::in_pairs(kernel(1, [&](ir::Builder& b) {
    const auto in = b.global("in", kDouble, true), out = b.global("out", kDouble, false);
    b.store(out, b.integer(0), body(b, b.load(in, b.integer(0))));
  }));
  pairs.memories[0].doubles = loads_doubles, pairs.memories[1].doubles = stores_doubles;
  return pairs;
}

/// Returns for each sum and product of a kernel, in order, whether it is raw.
std::vector<bool> raw_of(const ir::Kernel& pairs) {
  const std::vector<bool> all = ir::raw_pairs(pairs).raw;
  std::vector<bool> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Op op = pairs.code[i].op;
    if (op == Op::add || op == Op::sub || op == Op::mul || op == Op::fma) found.push_back(all[i]);
  }
  return found;
}
std::vector<bool> raw_of(const Formula& body) { return raw_of(in_pairs(body)); }

std::string pairs_text(const ir::Kernel& pairs) {
  const std::string text = ir::render(pairs);
  return text.substr(text.find("__kernel"));
}

ir::Value twice_of(const ir::Value& x) { return x + x; }

}  // namespace

TEST_CASE("Pairs stay raw until their low parts have grown or are encoded", "[ir][pairs]") {
  using Flags = std::vector<bool>;
  CHECK(raw_of([](auto&, auto x) { return x * x; }) == Flags{false});
  CHECK(raw_of([](auto&, auto x) { return x * x + x; }) == Flags{true, false});
  CHECK(raw_of([](auto&, auto x) { return x + x - x + x; }) == Flags{true, true, false});
  CHECK(raw_of([](auto&, auto x) { return (x + x) * x; }) == Flags{true, false});
  CHECK(raw_of([](auto&, auto x) { return twice_of(twice_of(twice_of(twice_of(twice_of(x))))); }) ==
        Flags{true, true, false, true, false});
  CHECK(raw_of([](auto& b, auto x) { return b.fma(x, x, x * x); }) == Flags{true, false});
  // Other memory than the caller's may hold raw pairs.
  const auto twice = [](auto&, auto x) { return twice_of(twice_of(x)); };
  CHECK(raw_of(in_pairs(twice, true, false)) == Flags{true, true});
  CHECK(raw_of(in_pairs(twice, false, false)) == Flags{false, true});
}

TEST_CASE("Only sums have raw operands beside chains of fmas, and if results are rounded",
          "[ir][pairs]") {
  using Flags = std::vector<bool>;
  CHECK(raw_of([](auto& b, auto x) { return b.fma(x, x, x + x); }) == Flags{false, false});
  CHECK(raw_of([](auto& b, auto x) { return b.fma(x, x, x) + x; }) == Flags{false, false});
  CHECK(raw_of([](auto& b, auto x) { return b.fma(x + x, x, x); }) == Flags{false, false});
  CHECK(raw_of([](auto& b, auto x) {
          const ir::Value chain = b.fma(x, x, x);
          return twice_of(x) - x + chain;
        }) == Flags{false, true, false, false});
  const auto rounded = [](auto&, auto x) { return ir::rounded(twice_of(x) - x) - x; };
  CHECK(raw_of(in_pairs(rounded, false, false)) == Flags{true, false, false});
}

TEST_CASE("Loads of pairs are normalised where raw pairs give wrong results", "[ir][pairs]") {
  const auto same = [](auto&, auto x) { return x; };
  CHECK(pairs_text(in_pairs(same, false, true)).find("pair_moved") != std::string::npos);
  CHECK(pairs_text(in_pairs(same, false, false)).find("pair_moved") == std::string::npos);
  CHECK(pairs_text(in_pairs(same, true, true)).find("pair_moved") == std::string::npos);
  // Copies keep NaN.
  CHECK(pairs_text(in_pairs(same)).find("pair_decode") != std::string::npos);
  CHECK(pairs_text(in_pairs([](auto&, auto x) { return -x; })).find("pair_decode") !=
        std::string::npos);
  CHECK(pairs_text(in_pairs([](auto&, auto x) { return x + x; })).find("pair_raw_decode") !=
        std::string::npos);
}

TEST_CASE("One function computes the sum of two products of pairs", "[ir][pairs]") {
  const std::string dot =
      pairs_text(in_pairs([](auto& b, auto x) { return b.fma(x, x + x, x * -x); }));
  CHECK(dot.find("pair_dot(") != std::string::npos);
  CHECK(dot.find("mul(") == std::string::npos);
  // A product that is used elsewhere has a name, too.
  const std::string both = pairs_text(in_pairs([](auto& b, auto x) {
    const ir::Value product = x * x;
    return b.fma(x, x, product) - product;
  }));
  CHECK(both.find("pair_dot(") != std::string::npos);
  CHECK(both.find("pair_raw_mul(") != std::string::npos);
}

}  // namespace imago::test
