// This file holds what a DFT that is computed as a convolution needs to know: the lengths that the
// convolution can have, and the values of its tables.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "plan/program.hpp"

namespace imago::plan {

/// Least length of Bluestein's convolution for n > 1 points. Its kernel, at -n+1 .. n-1, is even:
/// the two ends may be one entry. For n = 2^k + 1 this makes a power of two.
constexpr std::uint64_t least_bluestein(std::uint64_t n) { return 2 * n - 2; }
/// Least length of Rader's convolution for a prime p that is padded; unpadded it is p - 1.
constexpr std::uint64_t least_padded_rader(std::uint64_t p) { return 2 * (p - 1) - 1; }
/// Whether a cyclic convolution of `length` points computes the DFT of n points.
bool can_convolve(Algorithm algorithm, std::uint64_t n, std::uint64_t length);

inline bool is_convolution(Algorithm algorithm) {
  return algorithm == Algorithm::rader || algorithm == Algorithm::bluestein;
}

/// Lengths of convolutions in [least, 2 * least), the quickest first by a count of operations: the
/// products of primes up to 13, of which a power of two is always one.
std::vector<std::uint64_t> convolution_lengths(std::uint64_t least);

/// Entries of the sections, in order. Chirps from the exact j^2 mod 2 points; spectra by a DFT in
/// double precision.
std::vector<std::complex<double>> values_of(const ChirpSection& section);
std::vector<std::complex<double>> values_of(const SpectrumSection& section);
std::vector<std::complex<double>> values_of(const OrderSection& section);

}  // namespace imago::plan
