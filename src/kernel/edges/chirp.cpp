// This file implements the edge of Bluestein's convolution.
#include "kernel/edges/chirp.hpp"

#include "base/roots.hpp"

namespace imago::kernel {
namespace {

using Entries = std::vector<std::complex<double>>;

}  // namespace

ConvolvedFacts facts_of(const Chirp& edge) {
  return {.elements = edge.points, .factor_instructions = kComplexMultiply};
}

/// The kernel, at -n+1 .. n-1, is even, so its two ends may share one entry. For n = 2^k + 1 the
/// length is then a power of two.
ConvolutionLengths lengths_of(const Chirp& edge) {
  return {.possible = edge.points > 1, .least = 2 * edge.points - 2, .points = "at least 2"};
}

ChirpSection section_of(const Chirp& edge, std::uint64_t) { return {edge.points}; }

std::uint64_t count_of(const ChirpSection& section) { return section.points; }

Entries values_of(const ChirpSection& section) {
  const std::uint64_t n = section.points;
  const base::Roots roots(2 * n);
  Entries values(n);
  std::uint64_t square = 0;  // modulo 2n
  for (std::uint64_t j = 0; j < n; ++j) {
    // The second half repeats the first except for a sign: (n - j)^2 = n^2 + j^2 modulo 2n.
    values[j] = 2 * j <= n ? roots(square) : n % 2 == 0 ? values[n - j] : -values[n - j];
    square += 2 * j + 1;
    if (square >= 2 * n) square -= 2 * n;
  }
  return values;
}

Entries convolution_kernel(const Chirp& edge, std::uint64_t length) {
  Entries kernel = values_of(ChirpSection{edge.points});
  for (auto& value : kernel) value = std::conj(value);
  kernel.resize(length);
  for (std::uint64_t j = 1; j < edge.points; ++j) kernel[length - j] = kernel[j];
  return kernel;
}

}  // namespace imago::kernel
