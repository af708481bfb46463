// This file holds the Twiddle block: roots of unity from exact tables, from products of a few table
// entries, from the integer phase with a polynomial, or from the device's native functions.
#pragma once

#include <cstdint>
#include <vector>

#include "blocks/complex.hpp"
#include "kernel/program.hpp"

namespace imago::blocks {

/// An index that may differ from lane to lane: base + step * lane.
struct Index {
  ir::Value base;
  int step = 0;
  unsigned abreast = 1;  ///< lanes are so many equal parts, in each of which they count from 0
};

/// exp(-2 pi i phase / order) with an error below 2 ulp of 1. `phase` is an int (a scalar or one
/// per lane) in [0, order). The quarter turn is split off in exact integers; the rest is a Taylor
/// polynomial.
Cx polynomial_root(ir::Value phase, std::uint64_t order, ir::Type real);
/// exp(-2 pi i phase / order) with native_sin and native_cos.
Cx native_root(ir::Value phase, std::uint64_t order, ir::Type real);
/// phase = a * b, one per lane; 64-bit where order needs it.
ir::Value phase_product(const Index& a, const Index& b, std::uint64_t order, unsigned lanes);

/// Points first, first + stride, ... of a transform.
struct Legs {
  Index first;
  std::uint64_t stride = 1;
};
/// Multiplies every leg by exp(-2 pi i point * phase / order), the four-step twiddle: from the
/// exact phase of each leg (polynomial, native), or of a few whose pairwise products give the
/// others (product).
struct InterTwiddle {
  Twiddles source = Twiddles::product;
  std::uint64_t order = 1;
  Index phase;    ///< of the column
  ir::Type real;  ///< scalar type of the step
};
void multiply(Points& x, const InterTwiddle& twiddle, const Legs& legs);

/// Where a pass's factors exp(-2 pi i r k / (done * radix)) come from.
struct TwiddleSite {
  const kernel::Pass* pass = nullptr;
  ir::MemoryId table;
  ir::Type real;  ///< scalar type of the step
};
/// The factors that are loaded or computed from the phase, r = 1 .. radix-1 at index r - 1; the
/// others are not valid. k may run over the lanes (step 1) or be uniform.
Points direct_factors(const TwiddleSite& site, const Index& k);
/// Multiplies legs 1 .. radix-1 by their factors, the missing ones being products of two.
void multiply(Points& legs, Points factors);

}  // namespace imago::blocks
