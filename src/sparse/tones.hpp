// This file decomposes a listed spectrum into tones, on bins and between them.
#pragma once

#include <vector>

#include <imago/sparse_tones.hpp>

namespace imago::sparse {

/// Returns the sum over t of exp(2 pi i u t / n), which is the coefficient of a tone of amplitude 1
/// in a bin that is u below it.
std::complex<double> response_of_bin(double u, double n);

/// See imago::sparse_tones(). All indices of the spectrum must be below the length.
std::vector<SparseTone> take_apart(const SparseSpectrum& spectrum,
                                   const SparseTransform& transform);

}  // namespace imago::sparse
