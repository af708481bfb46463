// This file loads and stores half spectra (kernel::HalfSpectrum).
#pragma once

#include <cstdint>
#include <vector>

#include "blocks/elements.hpp"

namespace imago::blocks {

Cx load_point(const kernel::HalfSpectrum& edge, const Input& input, const Point& at,
              const Access& access);
void store_point(const kernel::HalfSpectrum& edge, const Output& output, const Point& at,
                 const Cx& x, const Spread& spread);

/// Returns the index of the half spectrum's element for point n - p; point p is at `index`.
ir::Value partner_index(const Frame& frame, ir::Value index, ir::Value p);
/// Sets the imaginary part to zero if `real` is true. A half spectrum's first element, and its last
/// one for an even number of real numbers, have imaginary parts that must not matter.
Cx real_where(const ir::Condition& real, const Cx& x);
/// Returns the points that are real by symmetry at the step's store, but may have a rounding error
/// as imaginary part.
std::vector<std::int64_t> rounded_real_points(const kernel::Step& step);

}  // namespace imago::blocks
