// This file computes the random values of an attempt, from only the seed and the number of the
// attempt.
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
  /// Returns a uniform number below `limit`; probabilities are exact to a relative 2^-64.
  std::uint64_t below(std::uint64_t limit);

 private:
  std::uint64_t state_;
};

struct Draws {
  std::array<std::uint64_t, kHashes> sigma, inverse, tau;
  std::uint64_t check_seed = 0;  ///< seed of the check's random samples
};

/// Returns dilations coprime to n with their inverses modulo n, and first samples. Requires n > 1.
Draws draw(std::uint64_t n, std::uint64_t seed, unsigned attempt);

/// The random values of an attempt of the voting method. The comb uses some of the first samples in
/// `more`.
struct VotingDraws {
  std::array<std::uint32_t, IMAGO_MAX_LOOPS> sigma, inverse, tau, more;
  std::uint64_t check_seed = 0;  ///< seed of the check's random samples
};

/// Requires n <= 2^32.
VotingDraws draw_voting(std::uint64_t n, std::uint64_t seed, unsigned attempt);

/// Returns x with a x = 1 modulo n, for a coprime to n.
std::uint64_t inverse_modulo(std::uint64_t a, std::uint64_t n);

}  // namespace imago::sparse
