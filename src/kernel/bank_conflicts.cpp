// This file counts bank conflicts. It assumes 32 banks of four bytes, as on NVIDIA and AMD devices;
// an access of eight (sixteen) bytes serves half (a quarter) of the work-items at a time. Only the
// first work-items that execute in lockstep are counted: one SIMD group. A leg is one input or
// output of a butterfly; a register of the work-item holds it.
#include "kernel/bank_conflicts.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "kernel/exchange.hpp"
#include "kernel/index_map.hpp"

namespace imago::kernel {
namespace {

constexpr unsigned kBanks = 32;
constexpr unsigned kMostAtOnce = 64;  // work-items of one access: the widest existing wavefront

/// Returns the exchanges of a step without those through tables, whose addresses are not known
/// here. Elements that are loaded in order count as if they went through local memory one after the
/// other.
std::vector<RegisterExchange> counted_exchanges(const Step& step) {
  using Order = Registers::Order;
  if (local_parts(step.group().exchange) == 0) return {};
  auto exchanges = exchanges_of(step);
  std::erase_if(exchanges, [](const RegisterExchange& exchange) {
    return exchange.before.order == Order::table || exchange.after.order == Order::table;
  });
  if (step.group().reorders_at_load) exchanges.front().before = {Order::elements, 0};
  return exchanges;
}

class Counter {
 public:
  Counter(const Step& step, unsigned simd) : step_(step) {
    const unsigned parts = local_parts(step.group().exchange);
    words_ = parts * (step.precision == Precision::f64 ? 2 : 1);
    simd_ = std::max(1u, std::min(simd, step.group().items * step.tile));
  }

  /// Returns the cycles in which the SIMD group writes, or reads, all registers.
  std::uint64_t cycles(const Registers& registers) {
    const std::uint64_t legs = step_.passes[registers.pass].radix;
    switch (registers.order) {
      case Registers::Order::read:
      case Registers::Order::written:
        return legs * butterflies(registers);
      case Registers::Order::elements:
        return legs * elements(registers);
      case Registers::Order::table:
        break;
    }
    return 0;
  }

  /// Returns true if one of the accesses so far takes longer than without conflicts.
  bool conflicts() const { return counted_ > least_; }

 private:
  /// Returns the cycles in which the SIMD group accesses two registers of each work-item: the first
  /// and the last leg of a butterfly. The addresses of other legs are shifted copies of these, so
  /// cycles() multiplies the result by the number of legs. If a work-item has butterflies in pairs,
  /// the last leg is that of the second butterfly.
  std::uint64_t butterflies(const Registers& registers) {
    const Pass& pass = step_.passes[registers.pass];
    const std::int64_t last = std::int64_t{pass.radix} - 1;
    return access(registers, {0, 0, 0}) + access(registers, {0, pass.coupled > 0 ? 1 : 0, last});
  }

  std::uint64_t access(const Registers& registers, Register at) {
    const bool columns_fastest = step_.passes[registers.pass].columns_fastest;
    return access([&](std::int64_t lid) -> std::optional<std::int64_t> {
      const std::int64_t items = step_.group().items;
      const auto place = coordinates_of(step_, items, columns_fastest, lid);
      at.item = place.index;
      const auto point = point_of(step_, registers, at);
      return point ? std::optional(local_address(step_, place.column, *point)) : std::nullopt;
    });
  }

  /// Returns the cycles in which the SIMD group accesses one element of a reordered block for each
  /// work-item, in the order of memory.
  std::uint64_t elements(const Registers& registers) {
    const bool columns_fastest = step_.passes[registers.pass].columns_fastest;
    const auto length = static_cast<std::int64_t>(step_.length);
    return access([&](std::int64_t lid) -> std::optional<std::int64_t> {
      if (lid >= length * step_.tile) return {};
      const auto at = coordinates_of(step_, length, columns_fastest, lid);
      return local_address(step_, at.column, at.index);
    });
  }

  template <class Where>
  std::uint64_t access(Where where) {
    std::uint64_t cycles = 0;
    const unsigned group = std::clamp(simd_ / words_, 1u, kMostAtOnce);
    for (unsigned start = 0; start < simd_; start += group) {
      std::array<std::int64_t, kMostAtOnce> seen;
      std::array<unsigned, kBanks> rows{};  // different addresses in each bank
      unsigned count = 0, most = 0;
      for (unsigned lid = start; lid < std::min(simd_, start + group); ++lid) {
        const std::optional<std::int64_t> at = where(lid);
        if (!at || std::find(seen.begin(), seen.begin() + count, *at) != seen.begin() + count)
          continue;
        seen[count++] = *at;
        most = std::max(most, ++rows[static_cast<std::uint64_t>(*at) % (kBanks / words_)]);
      }
      cycles += most;
      least_ += count > 0 ? 1 : 0;
    }
    counted_ += cycles;
    return cycles;
  }

  const Step& step_;
  unsigned words_, simd_;
  std::uint64_t counted_ = 0, least_ = 0;
};

}  // namespace

Cycles exchange_cycles(const Step& step, unsigned simd) {
  Counter counter(step, simd);
  std::uint64_t cycles = 0;
  for (const RegisterExchange& exchange : counted_exchanges(step))
    cycles += counter.cycles(exchange.before) + counter.cycles(exchange.after);
  return {cycles, counter.conflicts()};
}

std::uint64_t exchange_accesses(const Step& step) {
  std::uint64_t accesses = 0;
  for (const RegisterExchange& exchange : counted_exchanges(step)) {
    for (const Registers& side : {exchange.before, exchange.after})
      accesses += step.passes[side.pass].radix * (side.order == Registers::Order::elements ? 1 : 2);
  }
  return accesses;
}

}  // namespace imago::kernel
