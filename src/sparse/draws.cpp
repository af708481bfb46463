// This file draws what is random in an attempt.
#include "sparse/draws.hpp"

#include <numeric>
#include <utility>

namespace imago::sparse {

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t Random::below(std::uint64_t limit) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(next()) * limit) >> 64);
}

// The extended algorithm of Euclid.
std::uint64_t inverse_modulo(std::uint64_t a, std::uint64_t n) {
  auto r = static_cast<std::int64_t>(n), next = static_cast<std::int64_t>(a % n);
  std::int64_t t = 0, next_t = 1;
  while (next != 0) {
    const std::int64_t q = r / next;
    r = std::exchange(next, r - q * next);
    t = std::exchange(next_t, t - q * next_t);
  }
  return static_cast<std::uint64_t>(t < 0 ? t + static_cast<std::int64_t>(n) : t);
}

Draws draw(std::uint64_t n, std::uint64_t seed, unsigned attempt) {
  Random random(Random(seed ^ (std::uint64_t{attempt} << 56)).next());
  Draws draws;
  for (unsigned r = 0; r < kHashes; ++r) {
    do {
      draws.sigma[r] = random.below(n);
    } while (std::gcd(draws.sigma[r], n) != 1);
    draws.inverse[r] = inverse_modulo(draws.sigma[r], n);
    draws.tau[r] = random.below(n);
  }
  draws.check_seed = random.next();
  return draws;
}

}  // namespace imago::sparse
