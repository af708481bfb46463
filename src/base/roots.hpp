// This file computes roots of unity, correctly rounded to double for tables.
#pragma once

#include <complex>
#include <cstdint>

namespace imago::base {

/// exp(-2 pi i phase / order). The octant is split off in exact integers first; both parts are the
/// double nearest to the true value (long double underneath). order < 2^60.
std::complex<double> root_of_unity(std::uint64_t phase, std::uint64_t order);

}  // namespace imago::base
