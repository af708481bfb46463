// This file draws what is random in an attempt, from the seed and the number of the attempt alone.
#pragma once

#include <array>
#include <cstdint>

#include "sparse/attempt.hpp"
#include "sparse/phase_parameters.hpp"

namespace imago::sparse {

/// A counter-based generator (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform below `limit`, to 2^-64 of its share.
  std::uint64_t below(std::uint64_t limit);

 private:
  std::uint64_t state_;
};

struct Draws {
  std::array<std::uint64_t, kHashes> sigma, inverse, tau;
  std::uint64_t check_seed = 0;  ///< seed of the random samples of the check
};

/// Dilations coprime to n with their inverses modulo n, and first samples. n > 1.
Draws draw(std::uint64_t n, std::uint64_t seed, unsigned attempt);

/// What is random in an attempt of the voting method; of `more` first samples the comb has some.
struct VotingDraws {
  std::array<std::uint32_t, IMAGO_MAX_LOOPS> sigma, inverse, tau, more;
  std::uint64_t check_seed = 0;  ///< seed of the random samples of the check
};

/// n <= 2^32.
VotingDraws draw_voting(std::uint64_t n, std::uint64_t seed, unsigned attempt);

/// x with a x = 1 modulo n, for a coprime to n.
std::uint64_t inverse_modulo(std::uint64_t a, std::uint64_t n);

}  // namespace imago::sparse
