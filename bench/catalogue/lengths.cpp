// This file draws lengths of transforms.
#include "catalogue/lengths.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/integers.hpp"
#include "catalogue/planned_lengths.hpp"

namespace imago::catalogue {
namespace {

/// Returns random numbers, spread evenly over the octaves from `low` to `high`.
std::vector<std::uint64_t> wishes(std::uint64_t low, std::uint64_t high, std::size_t count,
                                  Random& random) {
  std::vector<std::uint64_t> chosen;
  const double octaves = std::log2(static_cast<double>(high) / static_cast<double>(low));
  for (std::size_t i = 0; i < count; ++i) {
    const double at =
        (static_cast<double>(i) + (random.uniform() + 1) / 2) / static_cast<double>(count);
    chosen.push_back(
        static_cast<std::uint64_t>(static_cast<double>(low) * std::exp2(octaves * at)));
  }
  return chosen;
}

bool is_prime(std::uint64_t n) { return n > 1 && base::largest_prime_factor(n) == n; }

}  // namespace

std::vector<std::uint64_t> sample(std::uint64_t low, std::uint64_t high, std::size_t count,
                                  Random& random) {
  const auto lengths = planned_lengths(high);
  auto chosen = wishes(low, high, count, random);
  for (auto& length : chosen)
    length = *std::prev(std::upper_bound(lengths.begin(), lengths.end(), length));
  return chosen;
}

std::vector<std::uint64_t> rough_lengths(std::uint64_t low, std::uint64_t high, std::size_t count,
                                         Random& random) {
  const auto prime_from = [](std::uint64_t n) {
    while (!is_prime(n)) ++n;
    return n;
  };
  std::vector<std::uint64_t> lengths;
  for (const auto wish : wishes(low, high * 9 / 10, count, random)) {
    lengths.push_back(prime_from(wish));
    const double roots = random.below(2) == 0 ? 2 : 3;
    const auto root = static_cast<std::uint64_t>(std::pow(static_cast<double>(wish), 1 / roots));
    const std::uint64_t factor = prime_from(std::max<std::uint64_t>(17, root * 2 / 3));
    lengths.push_back(factor * prime_from(std::max<std::uint64_t>(17, wish / factor)));
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

}  // namespace imago::catalogue
