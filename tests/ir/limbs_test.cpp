// This file tests which values of a kernel in a prime field are limbs.
#include "ir/limbs.hpp"

#include <functional>
#include <string>

#include "ir/kernels.hpp"
#include "ir/render.hpp"
#include "ir/residues.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

constexpr ir::Type kWord{ir::Base::residue, 1};

/// Returns the text of a kernel for so many work-items that stores body(x, y) for loaded x and y.
std::string text_of(unsigned items,
                    const std::function<ir::Value(ir::Builder&, ir::Value, ir::Value)>& body) {
  const ir::Kernel made = kernel(items, [&](ir::Builder& b) {
    const auto in = b.global("in", kWord, true), out = b.global("out", kWord, false);
    const ir::Value x = b.load(in, b.integer(0)), y = b.load(in, b.integer(1));
    b.store(out, b.integer(0), body(b, x, y));
  });
  const std::string text = ir::render(ir::in_limbs(ir::in_ring(made, base::Ring::goldilocks)));
  return text.substr(text.find("__kernel"));
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

ir::Value sum_of_sums(ir::Builder&, ir::Value x, ir::Value y) {
  const ir::Value sum = x + y;
  return sum - y;
}

}  // namespace

TEST_CASE("Sums of sums are limbs, and results are residues", "[ir][residues]") {
  const std::string text = text_of(64, sum_of_sums);
  CHECK(mentions(text, "residue_split("));
  CHECK(mentions(text, "residue_encode(v"));
  CHECK(!mentions(text, "residue_add("));
  CHECK(!mentions(text, "residue_sub("));
}

TEST_CASE("A sum alone is one of words, and so is everything on a CPU", "[ir][residues]") {
  const std::string alone = text_of(64, [](auto&, auto x, auto y) { return (x - y) * y; });
  CHECK(mentions(alone, "residue_sub("));
  CHECK(mentions(alone, "residue_raw_mul("));
  CHECK(mentions(alone, "residue_encode("));
  CHECK(mentions(text_of(1, sum_of_sums), "residue_add("));
}

TEST_CASE("Limbs are joined before they could be too large", "[ir][residues]") {
  const std::string text = text_of(64, [](auto&, auto x, auto y) {
    ir::Value sum = x + y;
    for (int i = 0; i < 5; ++i) sum = sum + sum;
    return sum;
  });
  // 64 words are one too many, and their sum is split again.
  const auto first = text.find("residue_joined(");
  CHECK(first < text.rfind("residue_joined("));
  CHECK(first < text.rfind("residue_split("));
}

}  // namespace imago::test
