// This file makes the steps around rows that are transformed together: transpositions.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::passes {

/// Transposes `width` rows of complex points between the caller's memory, where they are `left`
/// numbers apart, and split memory, where the points of all rows with the same number are adjacent.
/// Numbers are multiplied by `scale` on their way to the caller's memory. `done` is the number of
/// points of a row, at least half the width. The arguments are those of passes (passes.hpp).
struct Flip {
  unsigned width = 2;     ///< lanes of a vector
  bool to_split = false;  ///< reads the caller's memory
};

std::string name_of(const Flip& flip, ir::Base real);
ir::Kernel emit(const Flip& flip, ir::Base real);

/// Returns those of the library for vectors of at most `bytes` bytes.
std::vector<Flip> all_flips(ir::Base real, unsigned bytes);

}  // namespace imago::passes
