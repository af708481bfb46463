// This file counts bank conflicts: 32 banks of four bytes, as on NVIDIA and AMD devices; an access
// of eight (sixteen) bytes is served for a half (a quarter) of the items at a time.
#include "plan/bank_conflicts.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace imago::plan {
namespace {

constexpr unsigned kBanks = 32;
constexpr unsigned kMostAtOnce = 64;  // items of one access: the widest wavefront there is

/// Address of a leg of butterfly j, in elements.
std::uint64_t address(const Step& step, std::uint64_t column, std::uint64_t point) {
  return column * step.column_span() + point +
         (step.group().padding == 0 ? 0 : point / step.group().padding);
}

class Counter {
 public:
  Counter(const Step& step, unsigned simd) : step_(step) {
    const unsigned parts = step.group().exchange == Exchange::interleaved ? 2 : 1;
    words_ = parts * (step.precision == Precision::f64 ? 2 : 1);
    simd_ = std::max(1u, std::min(simd, step.group().items * step.tile));
  }

  /// Cycles of one leg of every butterfly of the first items in step.
  template <class Point>
  std::uint64_t access(bool columns_fastest, std::uint64_t butterflies, Point point) {
    return access([&](unsigned lid) -> std::optional<std::uint64_t> {
      const unsigned item = columns_fastest ? lid / step_.tile : lid % step_.group().items;
      const unsigned column = columns_fastest ? lid % step_.tile : lid / step_.group().items;
      if (item >= butterflies) return {};
      return address(step_, column, point(item));
    });
  }

  /// Of the elements of an arranged block as they lie in memory.
  std::uint64_t elements(bool columns_fastest) {
    const std::uint64_t length = step_.length, tile = step_.tile;
    return access([&](unsigned lid) -> std::optional<std::uint64_t> {
      if (lid >= length * tile) return {};
      return columns_fastest ? address(step_, lid % tile, lid / tile)
                             : address(step_, lid / length, lid % length);
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
      std::array<std::uint64_t, kMostAtOnce> seen;
      std::array<unsigned, kBanks> rows{};  // different addresses in each bank
      unsigned count = 0, most = 0;
      for (unsigned lid = start; lid < std::min(simd_, start + group); ++lid) {
        const std::optional<std::uint64_t> at = where(lid);
        if (!at || std::find(seen.begin(), seen.begin() + count, *at) != seen.begin() + count)
          continue;
        seen[count++] = *at;
        most = std::max(most, ++rows[*at % (kBanks / words_)]);
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

/// The first butterfly of a couple, or the second, as blocks::Couples has them.
std::uint64_t of_couple(const Pass& pass, std::uint64_t couple, bool second) {
  const std::uint64_t digits = pass.coupled, from_digit = pass.from_digit(), half = digits / 2;
  const std::uint64_t first = couple / from_digit % half;
  const std::uint64_t digit = !second ? first : first == 0 ? half : digits - first;
  return (couple / (from_digit * half) * digits + digit) * from_digit + couple % from_digit;
}

struct Cycles {
  std::uint64_t counted = 0;
  bool conflicts = false;
};

Cycles count(const Step& step, unsigned simd) {
  Counter counter(step, simd);
  std::uint64_t cycles = 0, single = 0;
  for (std::size_t i = 0; i < step.passes.size(); ++i) {
    const std::uint64_t radix = step.passes[i].radix, left = step.passes[i].left;
    const std::uint64_t butterflies = step.length / radix, apart = step.passes[i].done * left;
    const bool order = step.passes[i].columns_fastest;
    // Neighbouring legs are shifted copies of each other: two of them stand for all.
    for (std::uint64_t leg : {std::uint64_t{0}, radix - 1}) {
      const auto butterfly = [&](std::uint64_t item) {
        return step.passes[i].coupled > 0 ? of_couple(step.passes[i], item, leg > 0) : item;
      };
      if (reads_before(step, i)) {
        const auto read = counter.access(order, butterflies, [&](std::uint64_t item) {
          const std::uint64_t j = butterfly(item);
          return j / left * left * radix + j % left + left * leg;
        });
        // Elements leave as they are loaded, and their images are fetched in the other direction.
        const std::uint64_t times = i == 0 && step.group().fetches_partners_at_load ? 2 : 1;
        cycles += times * radix * read, single += read;
      }
      // Mirror images are fetched as the points are left, in the other direction.
      if (writes_after(step, i)) {
        const auto written = counter.access(order, butterflies, [&](std::uint64_t item) {
          const std::uint64_t j = butterfly(item);
          return j + j / apart * (radix - 1) * apart + apart * leg;
        });
        const bool images = i + 1 == step.passes.size() && step.group().fetches_partners_at_store;
        const std::uint64_t times = images ? 2 : 1;
        cycles += times * radix * written, single += written;
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
