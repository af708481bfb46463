// This file computes the work-groups that a compute unit holds at the same time: equations 1 to 3
// of Vazquez, Amor and Fraguela, "Portable and efficient FFT and DCT algorithms with the
// Heterogeneous Butterfly Processing Library" (HBPL), section 5, and the limit of work-items that
// their table 1 implies.
#pragma once

#include <cstddef>

#include "device/facts.hpp"

namespace imago::model {

/// The resources that a work-group needs.
struct GroupNeeds {
  unsigned items = 1;           ///< work-items, L
  unsigned registers = 1;       ///< 32-bit registers per work-item, R_t
  std::size_t local_bytes = 0;  ///< S_B
};

/// Returns equation 2: R_CU / (R_t * L).
unsigned groups_by_registers(unsigned unit_registers, unsigned registers, unsigned items);
/// Returns equation 3: S_CU / S_B; without local memory, the largest unsigned.
unsigned groups_by_local(std::size_t unit_bytes, std::size_t group_bytes);
/// Returns L_CU * w / L, the limit from the work-items that a compute unit holds. It counts whole
/// warps of `simd` work-items.
unsigned groups_by_items(unsigned unit_items, unsigned items, unsigned simd);
/// Returns S_B of equation 3: each of `items` work-items keeps `points` elements.
std::size_t exchanged_bytes(std::size_t element_bytes, unsigned points, unsigned items);

/// Returns equation 1: min(B_R, B_S, B_max).
unsigned groups_by_equation_1(const device::ComputeUnit& unit, const GroupNeeds& needs);
/// Returns equation 1 with the limit of work-items: the groups that run at the same time; zero if
/// not even one fits.
unsigned resident_groups(const device::Facts& facts, const GroupNeeds& needs);

}  // namespace imago::model
