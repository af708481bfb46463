// This file tests how residues are rendered, and when they are folded.
#include "ir/residues.hpp"

#include <functional>
#include <string>

#include "ir/kernels.hpp"
#include "ir/render.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

/// Returns the statements of a kernel that stores body(x) for a loaded x.
std::string residues_of(const std::function<ir::Value(ir::Builder&, ir::Value)>& body) {
  const ir::Kernel made = ir::in_ring(
      kernel(1,
             [&](ir::Builder& b) {
               const auto in = b.global("in", kDouble, true), out = b.global("out", kDouble, false);
               b.store(out, b.integer(0), body(b, b.load(in, b.integer(0))));
             }),
      base::Ring::m61);
  const std::string text = ir::render(made);
  const auto begin = text.find("const ulong v");
  return text.substr(begin, text.rfind('}') - begin);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Residues are folded only if their word could overflow", "[ir][residues]") {
  const std::string sum = residues_of([](auto&, auto x) { return x + x; });
  CHECK(contains(sum, "residue_add("));  // memory has folded words
  const std::string factor = residues_of([](auto&, auto x) { return (x + x) * x; });
  CHECK(contains(factor, "residue_raw_add("));
  CHECK(contains(factor, "residue_mul("));
  // The difference of 1 and 2 units has 4, one too many for another difference.
  const std::string tree = residues_of([](auto&, auto x) {
    const auto a = x + x, b = x - a;
    return (b - a) * x;
  });
  CHECK(contains(tree, "residue_sub(v1, v2, 3 * MODULUS)"));
  CHECK(contains(tree, "residue_raw_sub(v3, v2, 3 * MODULUS)"));
}

TEST_CASE("Products with powers of two are rotations", "[ir][residues]") {
  const auto half = residues_of([](auto&, auto x) { return ir::scaled(x, 0.5); });
  CHECK(contains(half, "residue_turned(v1, 60)"));
  const auto eighth =
      residues_of([](auto&, auto x) { return ir::scaled(x, 0.70710678118654752440); });
  CHECK(contains(eighth, "residue_turned(v1, 30)"));
  const auto negative =
      residues_of([](auto&, auto x) { return ir::scaled(x, -0.70710678118654752440); });
  CHECK(contains(negative, "residue_neg(residue_turned(v1, 30), 2 * MODULUS)"));
}

TEST_CASE("Two products are added before they are reduced", "[ir][residues]") {
  CHECK(contains(residues_of([](auto& b, auto x) { return b.fma(x, x, x * x); }),
                 "residue_dot(v1, v1, v1, v1)"));
}

TEST_CASE("Operations that a ring does not have are errors", "[ir][residues]") {
  CHECK_THROWS(residues_of([](auto&, auto x) { return x / x; }));
  CHECK_THROWS(residues_of([](auto& b, auto x) { return b.unary(ir::Op::rint, x); }));
  CHECK_THROWS(residues_of([](auto&, auto x) { return ir::scaled(x, 0.3); }));
}

}  // namespace imago::test
