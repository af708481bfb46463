// This file makes the passes of small transforms in host memory: functions of plain pointers for
// one radix and any length. The build renders them to C.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::passes {

/// The order of a memory's numbers: pairs (re, im), or all real parts before all imaginary parts.
enum class PassOrder { interleaved, split };

/// One pass of a Stockham transform. A pass after the first one multiplies by factors of a table.
/// Its butterflies have `done` values of k and `left` adjacent points q:
///
///   to[k left + q + s done left] = sum_r factor[r][k] from[k left radix + q + r left] w^(r s)
///
/// All functions have the arguments (from, to, table, scale, done, left, imaginary, inverse).
/// `imaginary` is the distance between the parts of split memory. If `inverse` is not 0, output s
/// is written in place of output radix - s. The last pass multiplies output by `scale`, which is a
/// part of the table's factors already. `from` and `to` of a first pass between interleaved
/// memories may be the same memory, if vectors do not overlap.
struct PassFunction {
  enum class PassLanes {
    points,  ///< lanes are adjacent points q
    blocks,  ///< left is 1; lanes are adjacent k, and points are transposed in registers
    /// Lanes are adjacent transforms, and their points of equal number lie apart: the first pass
    /// reads point i of transform c at i stride + c, `done` is the number of transforms and `left`
    /// that of its points q; the last pass writes so, and `left` is the number of transforms. The
    /// argument `group` is the stride.
    columns,
  };
  unsigned radix = 2;
  unsigned width = 1;  ///< lanes of a vector
  PassLanes lanes = PassLanes::points;
  PassOrder from = PassOrder::interleaved, to = PassOrder::interleaved;
  bool first = true;  ///< without factors and loops over k
};

/// Returns the name of the function, which tells all fields.
std::string name_of(const PassFunction& pass, ir::Base real);
ir::Kernel emit(const PassFunction& pass, ir::Base real);

/// Returns the passes of the library for vectors of at most `bytes` bytes.
std::vector<PassFunction> all_passes(ir::Base real, unsigned bytes);

}  // namespace imago::passes
