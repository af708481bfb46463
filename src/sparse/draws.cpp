// This file computes the random values of an attempt.
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

// Uses the extended Euclidean algorithm.
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

namespace {

Random of_attempt(std::uint64_t seed, unsigned attempt) {
  return Random(Random(seed ^ (std::uint64_t{attempt} << 56)).next());
}

std::uint64_t draw_coprime(Random& random, std::uint64_t n) {
  std::uint64_t x = 0;
  do {
    x = random.below(n);
  } while (std::gcd(x, n) != 1);
  return x;
}

}  // namespace

Draws draw(std::uint64_t n, std::uint64_t seed, unsigned attempt) {
  Random random = of_attempt(seed, attempt);
  Draws draws;
  for (unsigned r = 0; r < kHashes; ++r) {
    draws.sigma[r] = draw_coprime(random, n);
    draws.inverse[r] = inverse_modulo(draws.sigma[r], n);
    draws.tau[r] = random.below(n);
  }
  draws.check_seed = random.next();
  return draws;
}

VotingDraws draw_voting(std::uint64_t n, std::uint64_t seed, unsigned attempt) {
  Random random = of_attempt(seed, attempt);
  const auto time = [&] { return static_cast<std::uint32_t>(random.below(n)); };
  VotingDraws draws;
  for (std::size_t l = 0; l < draws.sigma.size(); ++l) {
    const std::uint64_t sigma = draw_coprime(random, n);
    draws.sigma[l] = static_cast<std::uint32_t>(sigma);
    draws.inverse[l] = static_cast<std::uint32_t>(inverse_modulo(sigma, n));
    draws.tau[l] = time();
    draws.more[l] = time();
  }
  draws.check_seed = random.next();
  return draws;
}

}  // namespace imago::sparse
