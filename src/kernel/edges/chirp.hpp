// This file defines the edge of Bluestein's convolution (Bluestein, IEEE Trans. AU-18, 1970): with
// c[j] = exp(-pi i j^2 / n), X[k] = c[k] sum_j (x[j] c[j]) conj(c[k-j]).
#pragma once

#include <compare>
#include <complex>
#include <cstdint>
#include <vector>

#include "kernel/edges/facts.hpp"

namespace imago::kernel {

/// Multiplies the elements below `points` by the chirp c; the convolution's other elements are
/// zero.
struct Chirp {
  std::uint64_t points = 0;  ///< length of the DFT
  friend auto operator<=>(const Chirp&, const Chirp&) = default;
};
template <class Visit>
void each_field(const Chirp& value, Visit&& visit) {
  const auto& [points] = value;
  visit(points);
}

ConvolvedFacts facts_of(const Chirp& edge);
ConvolutionLengths lengths_of(const Chirp& edge);

/// A table section with the chirp c[j] for j < points.
struct ChirpSection {
  std::uint64_t points = 1;
  friend auto operator<=>(const ChirpSection&, const ChirpSection&) = default;
};
ChirpSection section_of(const Chirp& edge, std::uint64_t length);
std::uint64_t count_of(const ChirpSection& section);
/// Returns the section's entries, computed from the exact j^2 modulo 2 points.
std::vector<std::complex<double>> values_of(const ChirpSection& section);

/// Returns the sequence that a convolution of `length` points convolves with: the conjugate chirp
/// at -points < j < points.
std::vector<std::complex<double>> convolution_kernel(const Chirp& edge, std::uint64_t length);

}  // namespace imago::kernel
