// This file defines the numbers that tell a generic kernel what to compute. A generic kernel is
// compiled once for a device and a precision; then it computes transforms of any length, layout and
// kind. It is slower than a kernel that is made for one transform.
//
// One launch transforms lines of `points` points in Stockham passes, in a tile of adjacent lines
// per work-group:
//
// 1. load: point p of a line is an element of memory, or a combination of two elements:
//    a[q] x[i[q]] + b[q] x[j[q]]. Lists in the numbers hold i and j, the table holds a and b.
// 2. passes: butterflies of a radix in kGenericRadices or of a prime in kGenericPrimes, after a
//    multiplication by twiddle factors. Pass p reads points (r, q, k) and writes points (q, s, k),
//    with k < done. The factors of the DFT of a prime follow the twiddle factors in the table.
// 3. twiddle: point p of column c is multiplied by exp(-2 pi i p c / n), or its conjugate, the
//    four-step twiddle factor (Govindaraju et al., fig. 5). It is a product of two factors of the
//    table, as in kernel/tables.hpp; in a vector, of that of its first column, and of one for each
//    lane. Column c is the index along dimension 0. Such a launch stores no combinations.
// 4. store: result p is a point, a point times a[q], or a combination of two points as above.
//
// Rows on work-items have one more edge, GenericEdge::half: points k and h - k are the half
// spectrum's elements k and h - k of a real line of 2h numbers, which share a factor.
//
// Work-items divide an index below 2^kDividedBits by the same number, the product of it with
// 2^shift / number, rounded up (divided_by).
//
// q is p * point_step + c * column_step. So one list or table serves all lines (steps 1 and 0), or
// has an entry for each column.
//
// A kernel of rows (Generic::rows) transforms lines of different lengths in one launch. Its launch
// begins with two numbers for each work-group (GenericGroup): the row, and which part of its lines.
// A row (GenericRow) has the numbers of lines as above. Its elements are moved into the tile before
// they become points, so that combinations read no memory twice; and a convolution is one launch,
// with the product between two rounds of passes.
//
// All strides and distances count real numbers. Without `parts`, an element is a real number: its
// imaginary part is 0 at load and is not stored.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace imago::kernel {

/// The radices of generic kernels. Lengths with prime factors in neither list are convolutions.
inline constexpr std::array kGenericRadices{2u, 3u, 4u, 5u, 7u, 8u};
/// Radices that share the code of a loop over the points. All are above those of the other list.
inline constexpr std::array kGenericPrimes{11u, 13u, 17u, 19u, 23u, 29u, 31u};
/// More primes for rows, of which many have such a factor: faster than convolutions on vectors.
inline constexpr std::array kRowPrimes{37u, 41u, 43u, 47u, 53u,  59u,  61u,  67u,  71u,  73u,
                                       79u, 83u, 89u, 97u, 101u, 103u, 107u, 109u, 113u, 127u};
/// Results of a prime's DFT that are computed together, which are less than half of them.
inline constexpr unsigned kGenericResults = 3;
/// Dimensions of lines of one launch; more do not fit into its numbers.
inline constexpr int kGenericDimensions = 5;
/// Dimensions of lines of a row: the fields, and the columns of a long row.
inline constexpr int kRowDimensions = 3;
/// Entries of a table after its last section, because vectors may be loaded beyond its end.
inline constexpr std::size_t kGenericTablePadding = 16;

/// How elements become points, or points become results.
enum class GenericEdge : int { none = 0, factors = 1, combination = 2, half = 3 };

/// Bits of the indices that work-items divide.
inline constexpr unsigned kDividedBits = 14;
/// A number that indices are divided by.
struct Divided {
  std::uint64_t factor, shift;
};
/// Returns the factor and the shift for a number: (index * factor) >> shift is the quotient.
constexpr Divided divided_by(std::uint64_t number) {
  const std::uint64_t shift = kDividedBits + std::bit_width(number);
  return {((std::uint64_t{1} << shift) + number - 1) / number, shift};
}

/// The numbers of one end of a launch, relative to its first one.
enum GenericEnd : int {
  kUnit,          ///< real numbers per element of the offset argument: 1 or 2
  kPointStride,   ///< distance of adjacent points
  kParts,         ///< distance of the imaginary part; 0: elements are real
  kEdge,          ///< a GenericEdge; factors only at store, and at load of rows
  kConjugate,     ///< 1: the second element or point of a combination is conjugated
  kPointStep,     ///< step of q, see above
  kColumnStep,    ///< step of q: 0 or 1
  kFirstList,     ///< index of i[0]. At load, entries are 2 * index + (1: its real part only)
  kSecondList,    ///< index of j[0]
  kFirstTable,    ///< index of a[0]: all real parts, then all imaginary parts
  kSecondTable,   ///< index of b[0]
  kTableEntries,  ///< entries of a, and of b
  kStrides,       ///< strides of the dimensions
  kEndNumbers = kStrides + kGenericDimensions
};

/// The numbers of a launch.
enum GenericNumber : int {
  kPoints,         ///< points of a line
  kResults,        ///< results of a line
  kResultsFactor,  ///< divided_by() of them
  kResultsShift,
  kPairsFactor,  ///< divided_by(points / 2 + 1)
  kPairsShift,
  kSwap,  ///< 1: real and imaginary parts are swapped before and after the passes (inverse)
  kTile,  ///< lines of a tile; for vectors, the kernel's lanes
  kTileFactor,
  kTileShift,
  kTiles,    ///< tiles along dimension 0
  kExtents,  ///< extents of the dimensions
  kLoad = kExtents + kGenericDimensions,
  kStore = kLoad + kEndNumbers,
  kTwiddleUnit = kStore + kEndNumbers,  ///< four_step_unit(n), the entries of the second table
  kTwiddleBits,                         ///< its logarithm to base 2
  kCoarseTwiddles,                      ///< index of the first table; both are like those of edges
  kFineTwiddles,                        ///< index of the second table
  kCoarseEntries,                       ///< entries of the first table; 0: there is no twiddle
  kLaneTwiddles,  ///< for vectors, index of the factor of each lane for each p
  kPasses,        ///< number of passes
  kFirstPass      ///< GenericPass for each pass
};

/// The numbers of a pass.
enum GenericPass : int {
  kPassRadix,
  kPassDone,
  kPassFactors,     ///< index of its factors: those of k for each r > 0, real and imaginary part
  kPassDoneFactor,  ///< divided_by(done)
  kPassDoneShift,
  kPassPlaceFactor,  ///< divided_by(points / radix)
  kPassPlaceShift,
  kPassNumbers
};

/// The numbers of a work-group of rows.
enum GenericGroup : int {
  kGroupRow,   ///< index of the row's first number
  kGroupPart,  ///< number of the group among those of the row
  kGroupNumbers
};

/// The numbers of a row.
enum GenericRow : int {
  kRowLines,     ///< index of the numbers of its lines, a GenericNumber each
  kRowIn,        ///< its first element, in real numbers: the part below 2^30
  kRowInHigh,    ///< the rest, divided by 2^30, and 1: a test launch has ones everywhere
  kRowOut,       ///< its first result
  kRowOutHigh,   ///< the rest
  kRowScale,     ///< index of the factor of its results in the table
  kRowElements,  ///< elements that are moved to the tile; 0: points are made of those in memory
  kRowElementsFactor,  ///< divided_by() of them, or of 1
  kRowElementsShift,
  kRowProduct,         ///< index of the factors between the rounds of passes
  kRowProductEntries,  ///< their number; 0: there is one round
  kRowSwapsBack,       ///< kSwap after the passes
  kRowFlips,           ///< 1: a round of passes ends in the other half of the tile's memory
  kRowNumbers
};
/// Rows add these to the radix of a pass. The pass of a prime is two for work-items: sums and
/// differences of its inputs, which stay in their half, and results. The radix has a byte because
/// oclgrind (21.10) compares integers of 10 bits wrongly, which Clang makes of a remainder.
enum RowPass : int {
  kPassSums = 1 << 8,  ///< the sums and differences
  kPassOdd = 1 << 9    ///< in the first round it reads the second half
};
/// Bits of the low parts of a row's places.
inline constexpr int kRowPlaceBits = 30;

}  // namespace imago::kernel
