// This file lists the lines that each mapping can compute.
#include "lines/mapping.hpp"

#include <algorithm>
#include <array>

#include "base/errors.hpp"
#include "base/precision.hpp"
#include "kernel/radices.hpp"
#include "lines/largest.hpp"

namespace imago::lines {
namespace {

std::uint64_t largest_in_group(Precision precision, const device::Facts& facts) {
  const std::uint64_t real = base::bytes_of(base::arithmetic_of(precision));
  const std::uint64_t points = precision == Precision::f64 ? 16 : 32;
  const std::uint64_t by_items = points * std::min(facts.max_work_group, 512u);
  const std::uint64_t by_memory = facts.local_bytes / real * 15 / 16;  // the rest is for padding
  return std::min(by_items, by_memory);
}

/// Returns the points that the registers of a compute unit hold, in addition to 48 other registers
/// for each of 512 work-items: up to 20480 of f32 and 10240 of f64 on an H200
/// (docs/measured/h200.md, "Holes").
std::uint64_t largest_in_registers(Precision precision, const device::Facts& facts) {
  constexpr unsigned kItems = 512, kOthers = 48;
  const std::uint64_t real = base::bytes_of(base::arithmetic_of(precision));
  const unsigned items = std::min(facts.max_work_group, kItems);
  const unsigned registers =
      std::min(facts.compute_unit.item_registers, facts.compute_unit.registers / items);
  const std::uint64_t held =
      registers <= kOthers ? 0 : items * ((registers - kOthers) / (real / 2));
  return std::max(largest_in_group(precision, facts),
                  std::min(held, facts.local_bytes / real * 15 / 16));
}

/// Returns the points that local memory holds, for passes that write where they read
/// (Exchange::in_place): 28928 of f32 and 14464 of f64 on an H200.
std::uint64_t largest_in_place(Precision precision, const device::Facts& facts) {
  return facts.local_bytes / (2 * base::bytes_of(base::arithmetic_of(precision)));
}

std::uint64_t largest_in_unit(Precision precision, const device::Facts& facts) {
  return std::max(largest_in_registers(precision, facts), largest_in_place(precision, facts));
}

/// Work-items in f64 would spill registers (docs/measured/registers.md).
bool has_room_in_group(std::uint64_t prime, Precision precision, const device::Facts& facts) {
  return precision != Precision::f64 && prime <= room_in_registers(1, precision, facts);
}

/// Vectors of points may be in memory, but the text must not be long: pairs would make it ten times
/// as long, and 47, whose convolution has a prime length, takes compilers two to six times as long
/// as Bluestein's algorithm (docs/measured/cpu.md). Primes above 61 were not tried.
bool has_room_in_vectors(std::uint64_t prime, Precision precision, const device::Facts& facts) {
  const bool pairs = precision == Precision::f64 && facts.f64.pairs;
  return !pairs && prime != 47 && prime <= 61;
}

constexpr LineRules kWorkGroup{
    .mapping = Mapping::work_group,
    .largest = largest_in_group,
    .largest_alone = largest_in_unit,
    // A single long line is still faster than a second kernel.
    .with_columns = [](std::uint64_t n) { return std::max<std::uint64_t>(n / 4, 128); },
    .together = [](std::uint64_t n) { return n; },
    .largest_plane =
        [](Precision precision, const device::Facts& facts) {
          return std::max(largest_in_group(precision, facts), largest_in_place(precision, facts));
        },
    .has_room = has_room_in_group,
    .one_core_per_line = false,
    .reorders_in_local_memory = true,
    .joins_across_columns = true,
    .numbers_several_axes = true,
};

std::uint64_t largest_of_vectors(Precision, const device::Facts&) { return 65536; }
// A work-item's two private arrays should stay in the second-level cache.
std::uint64_t largest_together_in_vectors(std::uint64_t n) { return n / 4; }

constexpr LineRules kVector{
    .mapping = Mapping::vector,
    .largest = largest_of_vectors,
    .largest_alone = largest_of_vectors,
    .with_columns = [](std::uint64_t n) { return std::min<std::uint64_t>(n / 4, 4096); },
    .together = largest_together_in_vectors,
    .largest_plane =
        [](Precision precision, const device::Facts& facts) {
          return largest_together_in_vectors(largest_of_vectors(precision, facts));
        },
    .has_room = has_room_in_vectors,
    .one_core_per_line = true,
    .reorders_in_local_memory = false,
    .joins_across_columns = false,
    .numbers_several_axes = false,  // lanes along one axis do not leave it
};

}  // namespace

Mapping mapping_of(Mapping wish, const device::Facts& facts) {
  if (wish != Mapping::automatic) return wish;
  return (facts.type == device::Type::cpu ? kVector : kWorkGroup).mapping;
}

const LineRules& rules_of(Mapping mapping) {
  for (const LineRules* rules : {&kWorkGroup, &kVector}) {
    if (rules->mapping == mapping) return *rules;
  }
  base::internal_error("no rules of this mapping");
}

}  // namespace imago::lines
