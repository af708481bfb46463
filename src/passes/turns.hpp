// This file makes the step between the two halves of a long transform: factors, and a
// transposition.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::passes {

/// Multiplies `tile` columns of `done` rows by factors and transposes them: element (k, c) of
/// `from` becomes element (c, k mod tile) of block k / tile of `to`, whose blocks have `left` rows
/// of `tile` numbers. `done` is a multiple of `tile`. Numbers are split. The arguments are those of
/// passes (passes.hpp).
///
/// Factors are products of two. The table has, for each column, the factors of the rows of a block,
/// first all real and then all imaginary parts; then, for each block, those of the columns.
struct Turn {
  unsigned width = 1;  ///< lanes of a vector
  unsigned tile = 16;  ///< a multiple of the width
};

std::string name_of(const Turn& turn, ir::Base real);
ir::Kernel emit(const Turn& turn, ir::Base real);

/// Returns the one of the library for vectors of at most `bytes` bytes.
std::vector<Turn> all_turns(ir::Base real, unsigned bytes);

}  // namespace imago::passes
