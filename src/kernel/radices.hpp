// This file finds the cheapest ordered factorisation of a length into radices.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace imago::kernel {

/// Cost of a pass with this radix, after `done` finished digits.
using PassCost = std::function<double(std::uint64_t done, unsigned radix)>;

/// Returns the radices of the Butterfly block: 2 to 16, larger ones for work-items that hold many
/// points (49 for powers of 7 that fill the registers), and the primes to 97 but 59, whose text is
/// too long, and 83, which was not tried.
const std::vector<unsigned>& all_radices();
/// Returns all_radices() and those for points that stay in local memory (Exchange::in_place), whose
/// work-items have room for more: with 36 and 40, lines of up to 28900 points have three passes.
const std::vector<unsigned>& radices_in_place();
/// Returns true for one of radices_in_place().
bool is_radix(std::uint64_t n);

/// Returns true if the Butterfly block has n points in registers: a radix, or up to 63 points with
/// prime factors that are radices. If n is not a radix, it may be the only pass of a kernel.
bool has_butterfly(std::uint64_t n);

/// Largest prime factor of lengths that need no convolution in any kernel. Larger radices are those
/// of some kernels (lines::has_radices).
inline constexpr std::uint64_t kLargestRadixPrime = 31;

/// Returns n without its prime factors up to kLargestRadixPrime.
std::uint64_t without_radices(std::uint64_t n);
/// Returns true if n is a product of radices of any kernel.
bool has_radices(std::uint64_t n);

struct Factorisation {
  /// In the order of the passes; {1} for length 1; empty if there is none.
  std::vector<unsigned> radices;
  double cost = 0;
};
/// Returns the sequence of `allowed` radices with product `length` and the least total cost, by
/// dynamic programming over the divisors reached.
Factorisation cheapest(std::uint64_t length, const std::vector<unsigned>& allowed,
                       const PassCost& cost);

/// An axis of a packed array, with the number of points of the slower and the faster axes.
struct AxisPlace {
  std::uint64_t length = 1;
  std::uint64_t outer = 1;  ///< points of the slower axes
  std::uint64_t inner = 1;  ///< points of the faster axes
};

/// Selects the axis whose passes come first. Passes along slow axes load and store adjacent
/// elements in adjacent work-items.
enum class AxisOrder {
  slowest_first,  ///< the slowest axis, then the others from the fastest to slower ones
  slowest_last,   ///< all axes from the fastest to the slowest one
};
/// Returns the axes in the order of their passes.
std::vector<AxisPlace> in_pass_order(const std::vector<std::uint64_t>& axes,
                                     AxisOrder order = AxisOrder::slowest_first);

}  // namespace imago::kernel
