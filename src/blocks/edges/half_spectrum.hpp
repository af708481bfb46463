// This file loads and stores half spectra (kernel::HalfSpectrum).
#pragma once

#include "blocks/elements.hpp"

namespace imago::blocks {

Cx load_point(const kernel::HalfSpectrum& edge, const Input& input, const Point& at,
              const Access& access);
void store_point(const kernel::HalfSpectrum& edge, const Output& output, const Point& at,
                 const Cx& x, const Spread& spread);

/// The element that a half spectrum holds in the place of point n - p, where point p is at `index`.
ir::Value partner_index(const Frame& frame, ir::Value index, ir::Value p);
/// The value without its imaginary part where `real`: what the imaginary parts of the first and,
/// for an even number of reals, the last element of a half spectrum hold does not matter.
Cx real_where(ir::Value real, const Cx& x);

}  // namespace imago::blocks
