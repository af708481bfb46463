// This file counts bank conflicts. It assumes 32 banks of four bytes, as on NVIDIA and AMD devices;
// an access of eight (sixteen) bytes serves half (a quarter) of the work-items at a time. Only the
// first work-items that execute in lockstep are counted: one SIMD group. A leg is one input or
// output of a butterfly; a register of the work-item holds it.
#include "kernel/bank_conflicts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

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

unsigned words_of(const Step& step) {
  return local_parts(step.group().exchange) * (step.precision == Precision::f64 ? 2 : 1);
}

/// Lists the accesses of a step's exchanges.
class Lister {
 public:
  Lister(const Step& step, unsigned simd, std::vector<LocalAccess>& accesses)
      : step_(step), simd_(simd), accesses_(accesses) {}

  /// Adds the accesses in which the SIMD group writes, or reads, all registers.
  void add(const Registers& registers) {
    const std::uint64_t legs = step_.passes[registers.pass].radix;
    switch (registers.order) {
      case Registers::Order::read:
      case Registers::Order::written:
        return butterflies(registers, legs);
      case Registers::Order::elements:
        return elements(registers, legs);
      case Registers::Order::table:
        break;
    }
  }

 private:
  /// Adds the accesses to two registers of each work-item: the first and the last leg of a
  /// butterfly. The addresses of other legs are shifted copies of these, so both count once for
  /// each leg. If a work-item has butterflies in pairs, the last leg is that of the second
  /// butterfly.
  void butterflies(const Registers& registers, std::uint64_t legs) {
    const Pass& pass = step_.passes[registers.pass];
    const std::int64_t last = std::int64_t{pass.radix} - 1;
    const std::size_t before = accesses_.size();
    add_register(registers, legs, {0, 0, 0});
    if (pass.coupled > 0) return add_register(registers, legs, {0, 1, last});
    // Legs are as far apart for all work-items.
    const std::int64_t apart =
        *point_of(step_, registers, {0, 0, last}) - *point_of(step_, registers, {0, 0, 0});
    for (std::size_t i = before, after = accesses_.size(); i < after; ++i) {
      LocalAccess access = accesses_[i];
      for (LocalPlace& place : access.places) place.point += apart;
      accesses_.push_back(std::move(access));
    }
  }

  void add_register(const Registers& registers, std::uint64_t legs, Register at) {
    const bool columns_fastest = step_.passes[registers.pass].columns_fastest;
    add_places(legs, [&](std::int64_t lid) -> std::optional<LocalPlace> {
      const std::int64_t items = step_.group().items;
      const auto place = coordinates_of(step_, items, columns_fastest, lid);
      at.item = place.index;
      const auto point = point_of(step_, registers, at);
      return point ? std::optional(LocalPlace{place.column, *point}) : std::nullopt;
    });
  }

  /// Adds the access to one element of a reordered block for each work-item, in the order of
  /// memory.
  void elements(const Registers& registers, std::uint64_t legs) {
    const bool columns_fastest = step_.passes[registers.pass].columns_fastest;
    const auto length = static_cast<std::int64_t>(step_.length);
    add_places(legs, [&](std::int64_t lid) -> std::optional<LocalPlace> {
      if (lid >= length * step_.tile) return {};
      const auto at = coordinates_of(step_, length, columns_fastest, lid);
      return LocalPlace{at.column, at.index};
    });
  }

  /// Adds the accesses of the work-items that local memory serves together.
  template <class Where>
  void add_places(std::uint64_t times, Where where) {
    const unsigned together = std::clamp(simd_ / words_of(step_), 1u, kMostAtOnce);
    for (unsigned start = 0; start < simd_; start += together) {
      std::vector<LocalPlace>& places = accesses_.emplace_back(LocalAccess{times, {}}).places;
      places.reserve(together);
      for (unsigned lid = start; lid < std::min(simd_, start + together); ++lid) {
        if (const std::optional<LocalPlace> place = where(lid)) places.push_back(*place);
      }
    }
  }

  const Step& step_;
  unsigned simd_;
  std::vector<LocalAccess>& accesses_;
};

/// Addresses in local memory, as local_address() defines them. Paddings are powers of two, by which
/// a shift divides in a fraction of the time.
class LocalAddresses {
 public:
  explicit LocalAddresses(const Step& step)
      : span_(static_cast<std::int64_t>(step.column_span())), padding_(step.group().padding) {
    if (std::has_single_bit(padding_)) shift_ = std::countr_zero(padding_);
  }
  std::int64_t operator()(const LocalPlace& place) const {
    std::int64_t padded = place.point;
    if (shift_ >= 0)
      padded += place.point >> shift_;
    else if (padding_ != 0)
      padded += place.point / std::int64_t{padding_};
    return padded + place.column * span_;
  }

 private:
  std::int64_t span_;
  unsigned padding_;
  int shift_ = -1;
};

}  // namespace

BankConflicts::BankConflicts(const Step& step, unsigned simd) {
  const unsigned together = std::max(1u, std::min(simd, step.group().items * step.tile));
  Lister lister(step, together, accesses_);
  for (const RegisterExchange& exchange : counted_exchanges(step)) {
    lister.add(exchange.before);
    lister.add(exchange.after);
  }
}

Cycles BankConflicts::cycles(const Step& step, std::uint64_t limit) const {
  const unsigned last = kBanks / words_of(step) - 1;
  const LocalAddresses address(step);
  Cycles cycles;
  for (const LocalAccess& access : accesses_) {
    if (cycles.counted >= limit) break;
    // No two work-items access the same place, and different places have different addresses.
    std::array<unsigned, kBanks> counts{};
    unsigned most = 0;
    for (const LocalPlace& place : access.places) {
      unsigned& count = counts[static_cast<unsigned>(address(place)) & last];
      most = std::max(most, ++count);
    }
    cycles.counted += access.times * most;
    cycles.conflicts |= most > 1;
  }
  return cycles;
}

Cycles exchange_cycles(const Step& step, unsigned simd) {
  return BankConflicts(step, simd).cycles(step);
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
