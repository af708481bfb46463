// This file checks the random numbers of an attempt.
#include "sparse/draws.hpp"

#include <numeric>
#include <set>

#include "base/integers.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

TEST_CASE("Dilations are coprime to the length and come with their inverses", "[sparse]") {
  for (const std::uint64_t n :
       {2048ull, 1ull << 27, 100000ull, 1000003ull, 1594323ull, (1ull << 32) - 1}) {
    for (unsigned attempt = 0; attempt < 20; ++attempt) {
      const auto draws = sparse::draw(n, 7, attempt);
      for (unsigned h = 0; h < sparse::kHashes; ++h) {
        CHECK(draws.sigma[h] < n);
        CHECK(draws.tau[h] < n);
        CHECK(base::multiply_modulo(draws.sigma[h], draws.inverse[h], n) == 1);
      }
    }
  }
}

TEST_CASE("The seed and the attempt decide every draw", "[sparse]") {
  std::set<std::uint64_t> sigmas, seeds;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (unsigned attempt = 0; attempt < 6; ++attempt) {
      const auto one = sparse::draw(1 << 27, seed, attempt),
                 two = sparse::draw(1 << 27, seed, attempt);
      CHECK(one.sigma == two.sigma);
      CHECK(one.tau == two.tau);
      CHECK(one.check_seed == two.check_seed);
      sigmas.insert(one.sigma[0]);
      seeds.insert(one.check_seed);
    }
  }
  CHECK(sigmas.size() > 290);
  CHECK(seeds.size() == 300);
}

TEST_CASE("Draws below a limit are uniform", "[sparse]") {
  sparse::Random random(3);
  std::vector<int> counts(10);
  for (int i = 0; i < 100000; ++i) ++counts[random.below(10)];
  for (const int count : counts) CHECK(std::abs(count - 10000) < 500);  // five sigma
}

}  // namespace
}  // namespace imago
