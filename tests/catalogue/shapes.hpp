// This file makes up cases of one to four dimensions with layouts of all kinds, from traits: what a
// shape, its data and its two layouts can be.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "catalogue/case.hpp"
#include "catalogue/random.hpp"
#include "device/facts.hpp"

namespace imago::catalogue {

/// How a side is spread over memory.
enum class Spread {
  packed,
  gaps,       ///< an offset, and unused elements after every dimension
  permuted,   ///< the dimensions lie in another order
  innermost,  ///< members are interleaved element by element
  between,    ///< the batch lies between two dimensions
  windows     ///< packed members that overlap, as in a short-time transform; only to read
};

/// Which axes are transformed, and how.
enum class Axes {
  complex,
  real,
  some_complex,        ///< and some are identity
  some_real,           ///< the last one is real, and some are identity
  cosines,             ///< real numbers: cosine and sine transforms of any kinds
  cosines_of_complex,  ///< and a complex axis
  cosines_of_real      ///< and the last one is real
};

/// The prime factors and the size of the longest axis.
enum class Sizes {
  powers,  ///< of two
  smooth,  ///< prime factors up to 13, more than one of them or odd
  primes,  ///< a prime factor from 17 to 31
  large,   ///< a larger prime factor: Rader or Bluestein
  several  ///< long enough for several kernels along one axis
};

enum class Batch { one, few, many };

struct Traits {
  unsigned rank = 1;
  Axes axes = Axes::complex;
  Sizes sizes = Sizes::powers;
  Batch batch = Batch::one;
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  Direction direction = Direction::forward;
  Spread source = Spread::packed, target = Spread::packed;  ///< in place: permuted moves the data
  Storage source_storage = Storage::interleaved, target_storage = Storage::interleaved;
  Mapping mapping = Mapping::vector;

  /// All of them as numbers, so that pairs of traits can be counted.
  std::array<unsigned, 12> values() const;
};

/// Traits of a case that can be, on a device like this.
Traits random_traits(Random& random, const device::Facts& facts);

/// A case with these traits.
Case make_case(const Traits& traits, Random& random);

/// Whether all rests on it: interleaved data and complex transforms in an arithmetic's own
/// precision, small prime factors.
bool is_plain(const Traits& traits);

/// Traits among which every two that go together meet at least once; `plain` ones only, or any.
std::vector<Traits> pairwise(Random& random, const device::Facts& facts, bool plain);

}  // namespace imago::catalogue
