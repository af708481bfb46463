// This file computes, on the host and in double precision, what a device's results are compared
// with.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <imago/transform.hpp>

namespace imago::problem {

/// The forward transform of an array, unscaled: complex; that of the real parts, as half spectra of
/// the last axis; or a cosine or sine transform of them, whose results have no imaginary ones.
/// Slow: the DFT behind DCT-IV has 8 times the points.
std::vector<std::complex<double>> reference(Kind kind, const std::vector<std::size_t>& lengths,
                                            std::vector<std::complex<double>> x);

}  // namespace imago::problem
