// This file computes reference results on the host, in double precision.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <imago/transform.hpp>

namespace imago::problem {

/// Returns the forward transform of an array, unscaled. For Kind::real it is the DFT of the real
/// parts, with half spectra along the last axis. For cosine and sine transforms it is that of the
/// real parts, with imaginary parts of 0. Slow: the DFT that computes DCT-IV has 8 times the
/// points.
std::vector<std::complex<double>> reference(Kind kind, const std::vector<std::size_t>& lengths,
                                            std::vector<std::complex<double>> x);

}  // namespace imago::problem
