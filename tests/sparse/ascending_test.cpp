// This file tests the sorting of tones.
#include "sparse/ascending.hpp"

#include <algorithm>
#include <random>

#include "support/catch.hpp"

namespace imago {
namespace {

TEST_CASE("Tones of any frequency are put into ascending order", "[sparse]") {
  CHECK(sparse::ascending({}).empty());
  std::mt19937_64 random(1);
  for (const int shift : {63, 60, 40, 33, 20, 1, 0}) {
    std::vector<sparse::Tone> tones(777);
    for (auto& tone : tones) tone.frequency = random() >> shift;
    const auto order = sparse::ascending(tones);
    REQUIRE(order.size() == tones.size());
    for (std::size_t i = 1; i < order.size(); ++i) {
      const auto before = tones[order[i - 1]].frequency, here = tones[order[i]].frequency;
      REQUIRE((before < here || (before == here && order[i - 1] < order[i])));
    }
  }
}

}  // namespace
}  // namespace imago
