// This file makes transforms of short lengths, whose points stay in registers.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "passes/passes.hpp"

namespace imago::passes {

/// A transform of first x second points, two powers of two: two passes in registers. Functions have
/// the arguments of passes (passes.hpp); the table is that of a last pass of radix `second`. `from`
/// and `to` may be the same memory if their orders are the same.
struct WholeTransform {
  unsigned first = 4, second = 4;
  bool inverse = false;
  PassOrder from = PassOrder::interleaved, to = PassOrder::interleaved;
  /// Rows that are transformed together, in the lanes of vectors of lanes() numbers. If there are
  /// several, `done` is the number of groups of them; rows that are read are `left` numbers
  /// apart, and those that are written `imaginary`. The table repeats the factors of a leg for
  /// `abreast * second / first` rows. `from` and `to` may be the same memory.
  unsigned abreast = 1;

  unsigned lanes() const { return abreast * second; }
};

std::string name_of(const WholeTransform& whole, ir::Base real);
ir::Kernel emit(const WholeTransform& whole, ir::Base real);

/// Returns the transforms of the library for vectors of at most `bytes` bytes.
std::vector<WholeTransform> all_wholes(ir::Base real, unsigned bytes);

}  // namespace imago::passes
