// This file tests the sorting of indices.
#include "sparse/ascending.hpp"

#include <algorithm>
#include <random>

#include "support/catch.hpp"

namespace imago {
namespace {

TEST_CASE("Keys of any size are put into ascending order", "[sparse]") {
  CHECK(sparse::ascending({}).empty());
  std::mt19937_64 random(1);
  for (const int shift : {63, 60, 40, 33, 20, 1, 0}) {
    std::vector<std::uint64_t> keys(777);
    for (auto& key : keys) key = random() >> shift;
    const auto order = sparse::ascending(keys);
    REQUIRE(order.size() == keys.size());
    for (std::size_t i = 1; i < order.size(); ++i) {
      const auto before = keys[order[i - 1]], here = keys[order[i]];
      REQUIRE((before < here || (before == here && order[i - 1] < order[i])));
    }
  }
}

}  // namespace
}  // namespace imago
