// This file implements HBPL's equations 1 to 3.
#include "model/work_group/occupancy.hpp"

#include <algorithm>
#include <limits>

#include "base/integers.hpp"

namespace imago::model {
namespace {

constexpr unsigned kNoLimit = std::numeric_limits<unsigned>::max();

}  // namespace

unsigned groups_by_registers(unsigned unit_registers, unsigned registers, unsigned items) {
  const std::uint64_t group = std::uint64_t{registers} * items;
  return group == 0 ? kNoLimit : static_cast<unsigned>(unit_registers / group);
}

unsigned groups_by_local(std::size_t unit_bytes, std::size_t group_bytes) {
  return group_bytes == 0 ? kNoLimit : static_cast<unsigned>(unit_bytes / group_bytes);
}

unsigned groups_by_items(unsigned unit_items, unsigned items, unsigned simd) {
  const std::uint64_t whole = base::ceil_divide(items, std::max(1u, simd)) * std::max(1u, simd);
  return static_cast<unsigned>(unit_items / whole);
}

std::size_t exchanged_bytes(std::size_t element_bytes, unsigned points, unsigned items) {
  return element_bytes * points * items;
}

unsigned groups_by_equation_1(const device::ComputeUnit& unit, const GroupNeeds& needs) {
  return std::min({groups_by_registers(unit.registers, needs.registers, needs.items),
                   groups_by_local(unit.local_bytes, needs.local_bytes), unit.groups});
}

unsigned resident_groups(const device::Facts& facts, const GroupNeeds& needs) {
  device::ComputeUnit unit = facts.compute_unit;
  if (unit.local_bytes == 0) unit.local_bytes = facts.local_bytes;
  return std::min(groups_by_equation_1(unit, needs),
                  groups_by_items(unit.items, needs.items, facts.simd));
}

}  // namespace imago::model
