// This file counts bank conflicts: 32 banks of four bytes, as on NVIDIA and AMD devices; an access
// of eight (sixteen) bytes is served for a half (a quarter) of the items at a time.
#include "plan/bank_conflicts.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "plan/exchange.hpp"
#include "plan/index_map.hpp"

namespace imago::plan {
namespace {

constexpr unsigned kBanks = 32;
constexpr unsigned kMostAtOnce = 64;  // items of one access: the widest wavefront there is

class Counter {
 public:
  Counter(const Step& step, unsigned simd) : step_(step) {
    const unsigned parts = local_parts(step.group().exchange);
    words_ = parts * (step.precision == Precision::f64 ? 2 : 1);
    simd_ = std::max(1u, std::min(simd, step.group().items * step.tile));
  }

  /// Cycles of one leg of every butterfly of the first items in step.
  template <class Point>
  std::uint64_t access(bool columns_fastest, std::int64_t butterflies, Point point) {
    return access([&](std::int64_t lid) -> std::optional<std::int64_t> {
      const auto at =
          coordinates_of(step_, std::int64_t{step_.group().items}, columns_fastest, lid);
      if (at.index >= butterflies) return {};
      return local_address(step_, at.column, point(at.index));
    });
  }

  /// Of the elements of a reordered block as they lie in memory.
  std::uint64_t elements(bool columns_fastest) {
    const auto length = static_cast<std::int64_t>(step_.length);
    return access([&](std::int64_t lid) -> std::optional<std::int64_t> {
      if (lid >= length * step_.tile) return {};
      const auto at = coordinates_of(step_, length, columns_fastest, lid);
      return local_address(step_, at.column, at.index);
    });
  }

  /// Accesses so far: cycles that they would take without conflicts.
  std::uint64_t least() const { return least_; }

 private:
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
    return cycles;
  }

  const Step& step_;
  unsigned words_, simd_;
  std::uint64_t least_ = 0;
};

bool reads_before(const Step& step, std::size_t pass) {
  return pass == 0 ? step.group().reorders_at_load || step.group().fetches_partners_at_load
                   : !step.in_place(pass);
}

bool writes_after(const Step& step, std::size_t pass) {
  const bool last = pass + 1 == step.passes.size();
  return last ? step.group().fetches_partners_at_store || step.group().reorders_at_store
              : !step.in_place(pass + 1);
}

/// A butterfly of item `item`: its first one, or the second one of its first couple.
ButterflyIndex<std::int64_t> butterfly_of(const Pass& pass, std::int64_t item, bool second) {
  const std::int64_t number =
      pass.coupled > 0 ? CoupleIndex<std::int64_t>(pass).butterfly(item, second ? 1 : 0) : item;
  return butterfly_index(pass, number, number);
}

struct Cycles {
  std::uint64_t counted = 0;
  bool conflicts = false;
};

Cycles count(const Step& step, unsigned simd) {
  Counter counter(step, simd);
  std::uint64_t cycles = 0, single = 0;
  for (std::size_t i = 0; i < step.passes.size(); ++i) {
    const Pass& pass = step.passes[i];
    const std::int64_t radix = pass.radix;
    const std::int64_t butterflies = static_cast<std::int64_t>(step.length) / radix;
    const bool order = pass.columns_fastest;
    // Neighbouring legs are shifted copies of each other: two of them stand for all.
    for (const std::int64_t leg : {std::int64_t{0}, radix - 1}) {
      if (reads_before(step, i)) {
        const auto read = counter.access(order, butterflies, [&](std::int64_t item) {
          const auto index = butterfly_of(pass, item, leg > 0);
          return index.first_read() + index.read_stride() * leg;
        });
        // Elements leave as they are loaded, and their partners are fetched in the other direction.
        const std::uint64_t times = i == 0 && step.group().fetches_partners_at_load ? 2 : 1;
        cycles += times * pass.radix * read, single += read;
      }
      // Partners are fetched as the points are left, in the other direction.
      if (writes_after(step, i)) {
        const auto written = counter.access(order, butterflies, [&](std::int64_t item) {
          const auto index = butterfly_of(pass, item, leg > 0);
          return index.first_write() + index.write_stride() * leg;
        });
        const bool partners = i + 1 == step.passes.size() && step.group().fetches_partners_at_store;
        const std::uint64_t times = partners ? 2 : 1;
        cycles += times * pass.radix * written, single += written;
      }
    }
  }
  const auto move = [&](const Pass& pass) {
    const auto moved = counter.elements(pass.columns_fastest);
    cycles += pass.radix * moved, single += moved;
  };
  if (step.group().reorders_at_load) move(step.passes.front());
  if (step.group().reorders_at_store) move(step.passes.back());
  return {cycles, single > counter.least()};
}

}  // namespace

std::uint64_t exchange_cycles(const Step& step, unsigned simd) { return count(step, simd).counted; }

void choose_padding(Step& step, unsigned simd, std::size_t local_bytes) {
  step.group().padding = step.group().column_pad = 0;
  if (step.local_bytes() == 0 || step.group().staged) return;
  Step best = step;
  const Cycles without = count(step, simd);
  if (!without.conflicts) return;
  std::uint64_t least = without.counted;
  for (const unsigned padding : {0u, 32u, 16u, 8u}) {
    for (const unsigned column_pad : {0u, 1u, 2u, 4u, 8u, 16u}) {
      if (column_pad != 0 && step.tile == 1) continue;
      if (padding >= step.length) continue;
      step.group().padding = padding, step.group().column_pad = column_pad;
      if (step.local_bytes() > local_bytes) continue;
      const Cycles cycles = count(step, simd);
      if (!cycles.conflicts) return;
      if (cycles.counted < least) least = cycles.counted, best = step;
    }
  }
  step = best;
}

}  // namespace imago::plan
