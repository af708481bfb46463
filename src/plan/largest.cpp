// This file says how large the transforms can be that one kernel takes.
#include "plan/largest.hpp"

#include <algorithm>

namespace imago::plan {

std::uint64_t largest_single(Mapping mapping, Precision precision, const device::Facts& facts) {
  const std::uint64_t real = precision == Precision::f64 ? 8 : 4;
  if (mapping == Mapping::vector) return 65536;
  const std::uint64_t points = precision == Precision::f64 ? 16 : 32;
  const std::uint64_t by_items = points * std::min(facts.max_work_group, 512u);
  const std::uint64_t by_memory = facts.local_bytes / real * 15 / 16;  // room for padding
  return std::min(by_items, by_memory);
}

std::uint64_t largest_with_columns(Mapping mapping, Precision precision,
                                   const device::Facts& facts) {
  const std::uint64_t single = largest_single(mapping, precision, facts);
  // One long line still beats a second kernel.
  return mapping == Mapping::vector ? std::min<std::uint64_t>(single / 4, 4096)
                                    : std::max<std::uint64_t>(single / 4, 128);
}

std::uint64_t largest_together(Mapping mapping, Precision precision, const device::Facts& facts) {
  const std::uint64_t single = largest_single(mapping, precision, facts);
  // A work-item's two scratch arrays should stay in the second-level cache.
  return mapping == Mapping::vector ? single / 4 : single;
}

}  // namespace imago::plan
