// This file computes the sizes of the largest transforms that one kernel can compute.
#include "lines/largest.hpp"

#include <algorithm>

#include "kernel/radices.hpp"
#include "lines/mapping.hpp"

namespace imago::lines {

std::uint64_t largest_single(Mapping mapping, Precision precision, const device::Facts& facts) {
  return rules_of(mapping).largest(precision, facts);
}

unsigned room_in_registers(unsigned items, Precision precision, const device::Facts& facts) {
  constexpr unsigned kOthers = 24;  // addresses, factors, and a butterfly's temporary values
  const unsigned warp = std::max(1u, facts.simd);
  const unsigned lanes = (items + warp - 1) / warp * warp;
  const unsigned most =
      std::min(facts.compute_unit.item_registers, facts.compute_unit.registers / lanes);
  if (most <= kOthers) return 0;
  return (most - kOthers) / (precision == Precision::f64 ? 4 : 2);
}

unsigned points_in_registers(unsigned items, Precision precision, const device::Facts& facts) {
  return std::min(kMostPointsPerItem, room_in_registers(items, precision, facts));
}

std::uint64_t largest_with_columns(Mapping mapping, Precision precision,
                                   const device::Facts& facts) {
  return rules_of(mapping).with_columns(largest_single(mapping, precision, facts));
}

std::uint64_t largest_line(const Request& request, Mapping mapping, const device::Facts& facts) {
  if (request.adjacent()) return largest_with_columns(mapping, request.precision, facts);
  const LineRules& rules = rules_of(mapping);
  return (request.plain() ? rules.largest_alone : rules.largest)(request.precision, facts);
}

std::uint64_t largest_together(Mapping mapping, Precision precision, const device::Facts& facts) {
  return rules_of(mapping).together(largest_single(mapping, precision, facts));
}

bool has_radices(std::uint64_t n, Mapping mapping, Precision precision,
                 const device::Facts& facts) {
  const std::uint64_t rest = kernel::without_radices(n);
  return rest == 1 ||
         (kernel::is_radix(rest) && rules_of(mapping).has_room(rest, precision, facts));
}

}  // namespace imago::lines
