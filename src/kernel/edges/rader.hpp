// This file defines the edge of Rader's convolution (Rader, Proc. IEEE 56, 1968): for a prime p
// with generator g, X[g^-q] = x[0] + sum_m x[g^m] exp(-2 pi i g^(m-q) / p).
#pragma once

#include <compare>
#include <complex>
#include <cstdint>
#include <vector>

#include "kernel/edges/facts.hpp"

namespace imago::kernel {

/// Reads elements 1 .. points-1 in the order of the generator's powers, and writes them in the
/// order of its inverse powers; element 0 stays outside the convolution.
struct RaderOrder {
  std::uint64_t points = 0;  ///< length of the DFT, a prime
  friend auto operator<=>(const RaderOrder&, const RaderOrder&) = default;
};
template <class Visit>
void each_field(const RaderOrder& value, Visit&& visit) {
  const auto& [points] = value;
  visit(points);
}

ConvolvedFacts facts_of(const RaderOrder& edge);
ConvolutionLengths lengths_of(const RaderOrder& edge);

/// A table section with the order, as pairs of integers. Entry e < points - 1 holds the place of
/// element e + 1 in the input of the convolution (g^place = e + 1 modulo points) and its place in
/// the result (g^-place = e + 1). Entries from points - 1 to `length` - 1 hold their own number.
struct OrderSection {
  std::uint64_t points = 2, length = 1;
  friend auto operator<=>(const OrderSection&, const OrderSection&) = default;
};
OrderSection section_of(const RaderOrder& edge, std::uint64_t length);
std::uint64_t count_of(const OrderSection& section);
std::vector<std::complex<double>> values_of(const OrderSection& section);

/// Returns the sequence that a convolution of `length` points convolves with: exp(-2 pi i g^-j /
/// points) with the least generator g, periodic with points - 1.
std::vector<std::complex<double>> convolution_kernel(const RaderOrder& edge, std::uint64_t length);

}  // namespace imago::kernel
