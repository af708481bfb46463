// This file counts the arithmetic of the blocks in instructions: an fma is one, and a negation that
// folds into an operand still counts. tests/model compares the numbers with the blocks' code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/program.hpp"

namespace imago::model {

/// Returns the floating-point instructions of a butterfly of `radix` points.
double butterfly_instructions(unsigned radix);

/// The cost of one butterfly's twiddle factors, in addition to its data.
struct TwiddleCost {
  double instructions = 0;  ///< computing the factors and multiplying by them
  double entries = 0;       ///< complex table entries that are loaded
};
/// Returns the cost of the twiddles between passes; nothing if `done` is 1.
TwiddleCost pass_twiddles(const kernel::Pass& pass);
/// Returns the cost of the twiddles between kernels, for the first pass's butterflies.
TwiddleCost four_step_twiddles(const kernel::Step& step);

/// Returns the exchanges between the work-items of a transform. They are one between two passes
/// (none at the start of a convolution's inverse), one for each reordering of a convolution's
/// elements, one to join partners, and one at load and at store for reordered axes.
unsigned exchanges(const kernel::Step& step);
/// Returns the reads of partners per point, in addition to those of the exchanges.
double partner_reads(const kernel::Step& step);
/// Returns the fraction of a side's points that have an element, at the start or the end of a
/// convolution; else 1.
double convolved_share(const kernel::Step& step, const kernel::Side& side);
/// Return the entries of the spectrum and of the convolution's edges that a butterfly of pass i
/// loads, and the instructions of the products with them.
double convolution_entries(const kernel::Step& step, std::size_t i);
double convolution_instructions(const kernel::Step& step, std::size_t i);
/// Returns the instructions of edges and reordered axes for one butterfly of pass i.
double edge_instructions(const kernel::Step& step, std::size_t i);

/// Instructions of f32 that replace one of f64 in pairs: 8 to 11 for a sum, 4 to 7 for a product,
/// 12 to 15 for two products and their sum (kernels/pairs.cl). Kernels of 64 to 4096 points have
/// 8.1 to 8.2 by ptxas 13.
inline constexpr double kPairInstructions = 8;
/// Instructions that replace one of f64 in a ring.
inline constexpr double kRingInstructions = 10;
using kernel::kComplexMultiply;
inline constexpr double kPolynomialRoot = 31;  ///< blocks::polynomial_root in f32
/// Two instructions of a unit with a quarter of the throughput.
inline constexpr double kNativeRoot = 10;

}  // namespace imago::model
