// This file generates cases of one to four dimensions with layouts of all kinds, from traits: the
// properties of a shape, its data and its two layouts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "catalogue/case.hpp"
#include "catalogue/random.hpp"

namespace imago::catalogue {

/// The arrangement of a side in memory.
enum class Spread {
  packed,
  gaps,       ///< an offset, and unused elements after every dimension
  permuted,   ///< the dimensions have another order
  innermost,  ///< members are interleaved element by element
  between,    ///< the batch lies between two dimensions
  windows     ///< packed members that overlap, as in an STFT; input only
};

/// The axes that are transformed, and their kinds.
enum class Axes {
  complex,
  real,
  some_complex,        ///< complex axes, and some identity axes
  some_real,           ///< the last one is real, and some are identity
  cosines,             ///< real numbers: cosine and sine transforms of any kinds
  cosines_of_complex,  ///< cosines, and a complex axis
  cosines_of_real      ///< cosines, and the last one is real
};

/// The prime factors and the size of the longest axis.
enum class Sizes {
  powers,  ///< powers of two
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

  /// Returns all traits as numbers, for counting pairs of traits.
  std::array<unsigned, 12> values() const;
};

/// Returns valid traits.
Traits random_traits(Random& random);

/// Returns a case with these traits.
Case make_case(const Traits& traits, Random& random);

/// Returns true for the traits that the others depend on: interleaved data and complex transforms
/// in a precision with its own arithmetic, and small prime factors.
bool is_plain(const Traits& traits);

/// Returns traits in which every compatible pair occurs at least once; only `plain` ones, or any.
std::vector<Traits> pairwise(Random& random, bool plain);

}  // namespace imago::catalogue
