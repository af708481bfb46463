// This file loads and stores half spectra of packed real numbers (kernel::FoldedSpectrum).
#pragma once

#include "blocks/elements.hpp"

namespace imago::blocks {

Cx load_point(const kernel::FoldedSpectrum& edge, const Input& input, const Point& at,
              const Access& access);
void store_point(const kernel::FoldedSpectrum& edge, const Output& output, const Point& at,
                 const Cx& x, const Spread& spread);
Cx joined(const kernel::FoldedSpectrum& edge, const Frame& frame, const Point& at, const Cx& point,
          const Cx& partner);

/// Returns X[k] of 2n real numbers from Z[k] and Z[n-k], the transform of their pairs x[2j] + i
/// x[2j+1]: with the transforms E and O of the even and odd numbers, Z = E + i O and X[k] = E[k] +
/// root O[k] (Cooley, Lewis and Welch 1970).
Cx unfolded(const Cx& z, const Cx& partner, const Cx& root);
Cx unfolded_twice(const Cx& z, const Cx& partner, const Cx& root);
/// Returns twice the inverse of unfolded(): Z[k] from X[k] and X[n-k].
Cx folded(const Cx& x, const Cx& partner, const Cx& root);

}  // namespace imago::blocks
