// This file checks the lengths of type 3's grids, without a device.
#include <cstddef>
#include <set>

#include "base/integers.hpp"
#include "nufft/design.hpp"
#include "nufft/window.hpp"
#include "support/catch.hpp"

using namespace imago;

namespace {

/// Returns the lengths for products of extents from 1 to `most`, each 1 % above the one before.
std::set<std::size_t> lengths_up_to(double most) {
  std::set<std::size_t> lengths;
  for (double extents = 1; extents < most; extents *= 1.01)
    lengths.insert(nufft::frequency_cells(nufft::window_of(6, 1.25), extents));
  return lengths;
}

}  // namespace

TEST_CASE("grids of type 3 have few lengths", "[nufft]") {
  const auto lengths = lengths_up_to(1e9);
  std::size_t before = 0;
  for (const std::size_t n : lengths) {
    INFO(n << " after " << before);
    CHECK(n % 2 == 0);
    CHECK(base::largest_prime_factor(n) <= 5);
    // Small numbers with small factors are further apart.
    if (before >= 144) CHECK(static_cast<double>(n) <= 1.12 * static_cast<double>(before));
    if (before > 0) {
      // No two steps are below 12 %: otherwise the length between them is superfluous.
      const auto after = lengths.upper_bound(n);
      if (after != lengths.end())
        CHECK(static_cast<double>(*after) > 1.12 * static_cast<double>(before));
    }
    before = n;
  }
  CHECK(lengths.size() < 30 * 7);
}

TEST_CASE("grids of type 3 hold the extents", "[nufft]") {
  const nufft::SpreadingWindow& kernel = nufft::window_of(6, 2);
  for (const double extents : {1.0, 2.5, 100.0, 12345.0, 1e8}) {
    const std::size_t cells = nufft::frequency_cells(kernel, extents);
    const double least = 4 / 3.14159265358979 * extents + 7;
    CHECK(static_cast<double>(cells) >= least);
    CHECK(cells >= 12);
    if (extents > 50) CHECK(static_cast<double>(cells) <= 1.13 * (least + 1));
  }
}
