// This file counts the arithmetic of the blocks in instructions: an fma is one, a negation that
// folds into an operand still counts. tests/model compares the numbers with the blocks' own code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/program.hpp"

namespace imago::model {

/// Float instructions of a butterfly of `radix` points.
double butterfly_instructions(unsigned radix);

/// What the twiddle factors of one butterfly cost beside the data.
struct TwiddleCost {
  double instructions = 0;  ///< forming the factors and multiplying by them
  double entries = 0;       ///< complex table entries loaded
};
/// Between the passes of a kernel; nothing where `done` is 1.
TwiddleCost pass_twiddles(const kernel::Pass& pass);
/// Between kernels: for the first pass's butterflies.
TwiddleCost four_step_twiddles(const kernel::Step& step);

/// Exchanges between the work-items of a transform: one between two passes, none where a
/// convolution's way back begins, one for each reordering of its elements, one where points meet
/// their partners, one on either side of elements that are reordered.
unsigned exchanges(const kernel::Step& step);
/// Reads of partners beside those of the exchanges, for each point.
double partner_reads(const kernel::Step& step);
/// The share of a side's points that have an element, where a convolution begins or ends; else 1.
double convolved_share(const kernel::Step& step, const kernel::Side& side);
/// Entries of the spectrum and of the convolution's edges that a butterfly of pass i loads, and the
/// products with them.
double convolution_entries(const kernel::Step& step, std::size_t i);
double convolution_instructions(const kernel::Step& step, std::size_t i);
/// What edges and reordered axes do with the points of one butterfly of pass i.
double edge_instructions(const kernel::Step& step, std::size_t i);

using kernel::kComplexMultiply;
inline constexpr double kPolynomialRoot = 31;  ///< blocks::polynomial_root in f32
inline constexpr double kNativeRoot = 10;      ///< two of a unit with a quarter of the rate

}  // namespace imago::model
