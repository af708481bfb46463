// This file makes the first and last steps of real and cosine transforms, which are complex
// transforms of half the length.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::passes {

/// A step before or after a complex transform of m points, whose numbers are split. All functions
/// have the arguments of passes (passes.hpp). `left` is the distance of the table's columns.
struct RowEnd {
  enum class EndWork {
    /// Half spectrum of 2m real numbers from the spectrum of m pairs of them; point m is point 0
    /// again. `done` is m. Columns: exp(-2 pi i k / 2m). `inverse`: conjugates the result.
    join_real,
    /// Half spectrum as above, in place: `to` holds the spectrum of pairs, whose numbers are
    /// interleaved, and nothing is read from `from`. `done` is a multiple of twice the width.
    join_pairs,
    /// The inverse of join_real. `inverse`: conjugates the half spectrum.
    split_real,
    /// m points from 2m real numbers, in the order of DCT-II. `done` is m/2.
    load_cosines,
    /// DCT-II of 2m real numbers from the spectrum of m points; point m is point 0 again. `done` is
    /// m. Columns: exp(-2 pi i k / 2m), exp(-2 pi i k / 8m), exp(-2 pi i (m - k) / 8m); then the
    /// factor of element 0.
    join_cosines,
    split_cosines,  ///< the inverse of join_cosines, for DCT-III
    store_cosines,  ///< the inverse of load_cosines, times `scale`
    /// join_real of as many transforms as lanes, in split memory in place, without `scale`: the
    /// numbers of all with the same place are adjacent. `done` is m. The table has pairs
    /// exp(-2 pi i k / 2m).
    join_rows,
    split_rows,  ///< the inverse of join_rows
  };
  EndWork work = EndWork::join_real;
  unsigned width = 1;  ///< lanes of a vector
};

std::string name_of(const RowEnd& end, ir::Base real);
ir::Kernel emit(const RowEnd& end, ir::Base real);

/// Returns the steps of the library for vectors of at most `bytes` bytes.
std::vector<RowEnd> all_ends(ir::Base real, unsigned bytes);

}  // namespace imago::passes
