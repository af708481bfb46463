// This file writes tables of 1 / (2 pi) for kernels that convert radians to fractions of a period.
#pragma once

#include <cstdint>
#include <string>

#include <imago/nufft_transform.hpp>

namespace imago::nufft {

/// Returns 64 bits of 1 / (2 pi) after the binary point, after the first `skipped`: at most 1088,
/// and may be negative.
std::uint64_t period_bits(int skipped);

/// Returns the tables in OpenCL C that kernels/nufft_points.cl needs for this type; empty for
/// fractions.
std::string period_tables(Coordinates coordinates);

}  // namespace imago::nufft
