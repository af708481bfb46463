// This file counts the bank conflicts of local memory.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "kernel/step.hpp"

namespace imago::kernel {

/// Cycles in which the first work-items that execute in lockstep access local memory, in all
/// exchanges of a step.
struct Cycles {
  std::uint64_t counted = 0;
  bool conflicts = false;  ///< true if an access takes longer than without conflicts
};
Cycles exchange_cycles(const Step& step, unsigned simd);

/// A point of a column in local memory.
struct LocalPlace {
  std::int64_t column = 0, point = 0;
};
/// One access of work-items that local memory serves together.
struct LocalAccess {
  std::uint64_t times = 1;              ///< number of such accesses
  std::vector<LocalPlace> places = {};  ///< all different
};

/// The accesses of a step's exchanges, for the comparison of paddings, on which only the addresses
/// depend.
class BankConflicts {
 public:
  BankConflicts(const Step& step, unsigned simd);
  /// Returns the cycles with the padding of `step`, which is otherwise that of the constructor;
  /// from `limit` cycles on, any number that is not smaller.
  Cycles cycles(const Step& step,
                std::uint64_t limit = std::numeric_limits<std::uint64_t>::max()) const;

 private:
  std::vector<LocalAccess> accesses_;
};

/// Returns the accesses per work-item that exchange_cycles() counts: two for each input or output
/// of a butterfly, and one for each element.
std::uint64_t exchange_accesses(const Step& step);

}  // namespace imago::kernel
