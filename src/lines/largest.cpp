// This file says how large the transforms can be that one kernel takes.
#include "lines/largest.hpp"

#include <algorithm>

#include "base/precision.hpp"

namespace imago::lines {

std::uint64_t largest_single(Mapping mapping, Precision precision, const device::Facts& facts) {
  const std::uint64_t real = base::bytes_of(base::arithmetic_of(precision));
  if (mapping == Mapping::vector) return 65536;
  const std::uint64_t points = precision == Precision::f64 ? 16 : 32;
  const std::uint64_t by_items = points * std::min(facts.max_work_group, 512u);
  const std::uint64_t by_memory = facts.local_bytes / real * 15 / 16;  // room for padding
  return std::min(by_items, by_memory);
}

unsigned points_in_registers(unsigned items, Precision precision, const device::Facts& facts) {
  constexpr unsigned kOthers = 24;  // addresses, factors, what a butterfly holds beside its points
  const unsigned warp = std::max(1u, facts.simd);
  const unsigned lanes = (items + warp - 1) / warp * warp;
  const unsigned most =
      std::min(facts.compute_unit.item_registers, facts.compute_unit.registers / lanes);
  if (most <= kOthers) return 0;
  return std::min(kMostPointsPerItem, (most - kOthers) / (precision == Precision::f64 ? 4 : 2));
}

std::uint64_t largest_with_columns(Mapping mapping, Precision precision,
                                   const device::Facts& facts) {
  const std::uint64_t single = largest_single(mapping, precision, facts);
  // One long line still beats a second kernel.
  return mapping == Mapping::vector ? std::min<std::uint64_t>(single / 4, 4096)
                                    : std::max<std::uint64_t>(single / 4, 128);
}

namespace {

/// As many points as the registers of a compute unit hold beside 48 others for each of 512
/// work-items: up to 20480 of f32 and 10240 of f64 on an H200 (docs/performance.md, "Holes").
std::uint64_t largest_in_registers(Precision precision, const device::Facts& facts) {
  constexpr unsigned kItems = 512, kOthers = 48;
  const std::uint64_t real = base::bytes_of(base::arithmetic_of(precision));
  const unsigned items = std::min(facts.max_work_group, kItems);
  const unsigned registers =
      std::min(facts.compute_unit.item_registers, facts.compute_unit.registers / items);
  const std::uint64_t held =
      registers <= kOthers ? 0 : items * ((registers - kOthers) / (real / 2));
  return std::max(largest_single(Mapping::work_group, precision, facts),
                  std::min(held, facts.local_bytes / real * 15 / 16));
}

}  // namespace

std::uint64_t largest_line(const Request& request, Mapping mapping, const device::Facts& facts) {
  const Precision precision = request.precision;
  if (request.adjacent()) return largest_with_columns(mapping, precision, facts);
  const bool alone = mapping == Mapping::work_group && request.plain();
  return alone ? largest_in_registers(precision, facts) : largest_single(mapping, precision, facts);
}

std::uint64_t largest_together(Mapping mapping, Precision precision, const device::Facts& facts) {
  const std::uint64_t single = largest_single(mapping, precision, facts);
  // A work-item's two scratch arrays should stay in the second-level cache.
  return mapping == Mapping::vector ? single / 4 : single;
}

}  // namespace imago::lines
