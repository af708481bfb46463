// This file takes a listed spectrum apart into tones, on bins and between them.
#pragma once

#include <vector>

#include <imago/sparse_tones.hpp>

namespace imago::sparse {

/// Sum over t of exp(2 pi i u t / n): what a tone of amplitude 1 is in a bin that is u below it.
std::complex<double> response_of_bin(double u, double n);

/// As imago::sparse_tones(), of a spectrum that is within the length.
std::vector<SparseTone> take_apart(const SparseSpectrum& spectrum,
                                   const SparseTransform& transform);

}  // namespace imago::sparse
