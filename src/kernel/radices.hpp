// This file finds the cheapest ordered factorisation of a length into radices.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace imago::kernel {

/// Cost of a pass that finds `done` finished digits and has this radix.
using PassCost = std::function<double(std::uint64_t done, unsigned radix)>;

/// The radices of the Butterfly block: 2 to 16, larger ones for work-items that hold many points
/// (49 for powers of 7 that fill the registers), and the primes up to kLargestRadixPrime.
const std::vector<unsigned>& all_radices();

/// Largest prime factor of the lengths that passes of the Butterfly block alone can transform: a
/// prime's butterfly takes its square in operations, and beyond 31 a convolution takes fewer.
inline constexpr std::uint64_t kLargestRadixPrime = 31;

/// Whether n is a product of radices.
bool has_radices(std::uint64_t n);

struct Factorisation {
  std::vector<unsigned> radices;  ///< first pass first; {1} for length 1, empty where none exists
  double cost = 0;
};
/// The sequence of `allowed` radices with product `length` and the least total cost, by dynamic
/// programming over the divisors reached.
Factorisation cheapest(std::uint64_t length, const std::vector<unsigned>& allowed,
                       const PassCost& cost);

/// An axis of a packed array, with the points of the axes around it.
struct AxisPlace {
  std::uint64_t length = 1;
  std::uint64_t outer = 1;  ///< of the slower axes
  std::uint64_t inner = 1;  ///< of the faster axes
};

/// Which axis of several has its passes first. Neighbours are loaded side by side by passes along
/// slow axes and stored so by passes along them.
enum class AxisOrder {
  slowest_first,  ///< then from the fastest on
  slowest_last,   ///< from the fastest on
};
/// The axes in the order of their passes.
std::vector<AxisPlace> in_pass_order(const std::vector<std::uint64_t>& axes,
                                     AxisOrder order = AxisOrder::slowest_first);

}  // namespace imago::kernel
