// This file holds the Twiddle block: roots of unity from exact tables, from products of a few table
// entries, from the integer phase with a polynomial, or from the device's native functions.
#pragma once

#include <cstdint>
#include <vector>

#include "blocks/complex.hpp"
#include "kernel/program.hpp"

namespace imago::blocks {

/// An index that may differ between lanes: base + step * lane.
struct Index {
  ir::Value base;
  int step = 0;
  /// Number of equal parts of the lanes; lanes are counted from 0 in each part.
  unsigned abreast = 1;
};

/// Returns exp(-2 pi i phase / order) with an error below 2 ulp of 1. `phase` is an int (a scalar
/// or one for each lane) in [0, order). Quarter turns are split off in exact integers; a Taylor
/// polynomial computes the rest.
Cx polynomial_root(ir::Value phase, std::uint64_t order, ir::Type real);
/// Returns exp(-2 pi i phase / order) by native_sin and native_cos.
Cx native_root(ir::Value phase, std::uint64_t order, ir::Type real);
/// Returns phase = a * b, one for each lane; 64-bit if `order` requires it.
ir::Value phase_product(const Index& a, const Index& b, std::uint64_t order, unsigned lanes);

/// The legs (inputs) of a butterfly: points first, first + stride, ... of a transform.
struct Legs {
  Index first;
  std::uint64_t stride = 1;
};
/// The four-step twiddle multiplies every leg by exp(-2 pi i point * phase / order). It uses the
/// exact phase of each leg (polynomial, native, table), or exact roots for some legs and their
/// pairwise products for the others (product).
struct InterTwiddle {
  kernel::FourStep twiddle;
  Index phase;               ///< phase of the column
  ir::Type real;             ///< scalar type of the step
  ir::MemoryId table;        ///< the step's table
  unsigned tile = 1;         ///< columns in lanes
  std::uint64_t points = 1;  ///< points of a column
};
void multiply(Points& x, const InterTwiddle& twiddle, const Legs& legs);

/// The source of a pass's factors exp(-2 pi i r k / (done * radix)).
struct TwiddleSite {
  const kernel::Pass* pass = nullptr;
  ir::MemoryId table;
  ir::Type real;  ///< scalar type of the step
};
/// Returns the factors that are loaded or computed from the phase, r = 1 .. radix-1 at index r - 1;
/// the others are not valid. k may run over the lanes (step 1) or be uniform.
Points direct_factors(const TwiddleSite& site, const Index& k);
/// Multiplies legs 1 .. radix-1 by their factors. Missing factors are products of two others.
void multiply(Points& legs, Points factors);

}  // namespace imago::blocks
