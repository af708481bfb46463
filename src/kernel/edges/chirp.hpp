// This file is the edge of Bluestein's convolution (Bluestein, IEEE Trans. AU-18, 1970): with
// c[j] = exp(-pi i j^2 / n), X[k] = c[k] sum_j (x[j] c[j]) conj(c[k-j]).
#pragma once

#include <compare>
#include <complex>
#include <cstdint>
#include <vector>

#include "kernel/edges/facts.hpp"

namespace imago::kernel {

/// Elements below `points` are multiplied by the chirp c; the others of the convolution are zero.
struct Chirp {
  std::uint64_t points = 0;  ///< of the DFT
  friend auto operator<=>(const Chirp&, const Chirp&) = default;
};
template <class Visit>
void each_field(const Chirp& value, Visit&& visit) {
  const auto& [points] = value;
  visit(points);
}

ConvolvedFacts facts_of(const Chirp& edge);
ConvolutionLengths lengths_of(const Chirp& edge);

/// The chirp c[j] for j < points.
struct ChirpSection {
  std::uint64_t points = 1;
  friend auto operator<=>(const ChirpSection&, const ChirpSection&) = default;
};
ChirpSection section_of(const Chirp& edge, std::uint64_t length);
std::uint64_t count_of(const ChirpSection& section);
/// Its entries, from the exact j^2 modulo 2 points.
std::vector<std::complex<double>> values_of(const ChirpSection& section);

/// What a convolution of `length` points convolves with: the conjugate chirp at -points < j <
/// points.
std::vector<std::complex<double>> convolution_kernel(const Chirp& edge, std::uint64_t length);

}  // namespace imago::kernel
