// This file runs the loops and conditions of an interpreted kernel: they narrow the set of active
// work-items and restore it.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/work_items.hpp"
#include "ir/kernel.hpp"

namespace imago::interpreter {

bool opens_region(ir::Op op);
bool closes_region(ir::Op op);

class Regions {
 public:
  /// Finds the ends of all regions, and checks that no value is used outside its region.
  Regions(const ir::Kernel& kernel, WorkItems& items);

  /// Executes the instruction at one end of a region and returns the index of the next one.
  std::uint32_t enter(std::uint32_t index);
  std::uint32_t leave(std::uint32_t index);

 private:
  struct Region {
    std::vector<std::uint32_t> outside;  ///< active work-items outside the region
    std::int64_t iteration = 0;
  };

  void match();
  void check_arguments(std::uint32_t index, const std::vector<bool>& visible) const;
  bool narrow(std::uint32_t begin);
  void restore();

  const ir::Kernel& kernel_;
  WorkItems& items_;
  std::vector<std::uint32_t> partner_;  ///< the other end of a loop or condition
  std::vector<Region> regions_;         ///< open regions
};

}  // namespace imago::interpreter
