// This file counts the work-groups that a compute unit holds at a time: equations 1 to 3 of
// Vazquez, Amor and Fraguela, "Portable and efficient FFT and DCT algorithms with the Heterogeneous
// Butterfly Processing Library" (HBPL), section 5, and the limit of work-items that their table 1
// implies.
#pragma once

#include <cstddef>

#include "device/facts.hpp"

namespace imago::model {

/// What a work-group asks of its compute unit.
struct GroupNeeds {
  unsigned items = 1;           ///< work-items, L
  unsigned registers = 1;       ///< of 32 bits per work-item, R_t
  std::size_t local_bytes = 0;  ///< S_B
};

/// Equation 2: R_CU / (R_t * L).
unsigned groups_by_registers(unsigned unit_registers, unsigned registers, unsigned items);
/// Equation 3: S_CU / S_B; no limit (the largest unsigned) without local memory.
unsigned groups_by_local(std::size_t unit_bytes, std::size_t group_bytes);
/// L_CU * w / L: a compute unit holds so many work-items. Whole warps of `simd` items count.
unsigned groups_by_items(unsigned unit_items, unsigned items, unsigned simd);
/// S_B as equation 3 has it: each of `items` work-items keeps `points` elements.
std::size_t exchanged_bytes(std::size_t element_bytes, unsigned points, unsigned items);

/// Equation 1: min(B_R, B_S, B_max).
unsigned groups_by_equation_1(const device::ComputeUnit& unit, const GroupNeeds& needs);
/// Equation 1 with the limit of work-items: the groups that run at a time; zero where not even one
/// fits.
unsigned resident_groups(const device::Facts& facts, const GroupNeeds& needs);

}  // namespace imago::model
