// This file writes launches of a generic kernel.
#include "generic/launches.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/integers.hpp"
#include "base/precision.hpp"
#include "base/roots.hpp"
#include "kernel/generic.hpp"
#include "kernel/radices.hpp"
#include "kernel/tables.hpp"
#include "lines/loops.hpp"

namespace imago::generic {
namespace {

using kernel::GenericEdge;

constexpr std::uint64_t kMostLines = 32;      // lines of a tile of work-items
constexpr std::uint64_t kMostRowLines = 256;  // lines of a tile of rows on work-items
constexpr std::uint64_t kMostReals = std::uint64_t{1} << 31;

std::vector<unsigned> radices(bool rows) {
  std::vector<unsigned> list(kernel::kGenericRadices.begin(), kernel::kGenericRadices.end());
  list.insert(list.end(), kernel::kGenericPrimes.begin(), kernel::kGenericPrimes.end());
  if (rows) list.insert(list.end(), kernel::kRowPrimes.begin(), kernel::kRowPrimes.end());
  return list;
}

/// Returns the radices of the passes; empty if the length has other prime factors.
std::vector<unsigned> radices_of(std::uint64_t length, bool rows) {
  static const std::vector<unsigned> kLists[] = {radices(false), radices(true)};
  if (length == 1) return {};
  const auto cost = [](std::uint64_t, unsigned radix) { return 6.0 + radix; };
  return kernel::cheapest(length, kLists[rows], cost).radices;
}

/// Joins loops that are contiguous at both ends, and puts the one first whose lines are adjacent in
/// memory, else the longest one. Its lines fill the lanes.
std::vector<Loop> arranged(std::vector<Loop> loops) {
  auto result = lines::merged(std::move(loops));
  const auto rank = [](const Loop& loop) {
    const bool adjacent = loop.in_stride == 2 && loop.out_stride == 2 && loop.extent >= 8;
    return std::pair(adjacent, loop.extent);
  };
  const auto best =
      std::max_element(result.begin(), result.end(),
                       [&](const Loop& a, const Loop& b) { return rank(a) < rank(b); });
  if (best != result.end()) std::iter_swap(result.begin(), best);
  return result;
}

/// Appends the factors of a prime's DFT: for each kGenericResults results s, for each input r <=
/// p / 2, the root of unity of r s / p turns for each s. The last results may be above p / 2.
void append_prime(std::uint64_t p, std::vector<double>& table) {
  const base::Roots root(p);
  for (std::uint64_t first = 1; first <= p / 2; first += kernel::kGenericResults) {
    for (std::uint64_t r = 1; r <= p / 2; ++r) {
      for (std::uint64_t s = first; s < first + kernel::kGenericResults; ++s) {
        const auto turned = root(r * s % p);
        table.push_back(turned.real()), table.push_back(-turned.imag());
      }
    }
  }
}

}  // namespace

void refuse() { throw NoGeneric(); }

std::uint64_t checked(std::uint64_t number) {
  if (number >= kMostReals) refuse();
  return number;
}

bool Launches::has_radices(std::uint64_t length) const {
  return length == 1 || !radices_of(length, rows_).empty();
}

Launches::Launches(kernel::Step step, kernel::Step hooks)
    : lanes_(step.generic()->lanes), capacity_(step.length) {
  program_.steps.push_back(std::move(step));
  program_.steps.push_back(std::move(hooks));
}
Launches::Launches(kernel::Step rows)
    : lanes_(rows.generic()->lanes), capacity_(rows.length), rows_(true) {
  program_.steps.push_back(std::move(rows));
}

LineEnd Launches::scratch(std::uint64_t elements) {
  scratch_elements_ = std::max(scratch_elements_, checked(2 * elements) / 2);
  LineEnd end;
  end.memory = kernel::Memory::scratch;
  return end;
}

std::int32_t Launches::list_of(const std::vector<std::int32_t>& indices,
                               const std::vector<bool>* real) {
  auto& numbers = program_.generic.numbers;
  const std::size_t first = numbers.size();
  for (std::size_t q = 0; q < indices.size(); ++q) {
    const bool only_real = real && !real->empty() && (*real)[q];
    numbers.push_back(real ? 2 * indices[q] + (only_real ? 1 : 0) : indices[q]);
  }
  return static_cast<std::int32_t>(checked(first));
}

std::int32_t Launches::table_of(const Factors& factors) {
  auto& table = program_.generic.table;
  const std::size_t first = table.size(), count = factors.size();
  table.resize(checked(first + 2 * count));
  for (std::size_t k = 0; k < count; ++k) {
    table[first + k] = factors[k].real();
    table[first + count + k] = factors[k].imag();
  }
  return static_cast<std::int32_t>(first);
}

/// Writes factors as pairs of parts; returns the index of the first pair.
std::int32_t Launches::pairs_of(const Factors& factors) {
  auto& table = program_.generic.table;
  if (table.size() % 2 == 1) table.push_back(0);
  const std::size_t first = table.size() / 2;
  checked(table.size() + 2 * factors.size());
  for (const auto& factor : factors) table.insert(table.end(), {factor.real(), factor.imag()});
  return static_cast<std::int32_t>(first);
}

void Launches::divisor(std::uint64_t value) {
  const kernel::Divided divided = kernel::divided_by(std::max<std::uint64_t>(value, 1));
  number(divided.factor), number(divided.shift);
}

/// Returns the index of the factors w^(r k) of a pass: for each r > 0 those of all k < done.
std::int32_t Launches::twiddles(std::uint64_t radix, std::uint64_t done) {
  const auto [found, added] = twiddles_.try_emplace({radix, done}, 0);
  if (!added) return found->second;
  const base::Roots root(radix * done);
  Factors factors;
  factors.reserve((radix - 1) * done);
  for (std::uint64_t r = 1; r < radix; ++r)
    for (std::uint64_t k = 0; k < done; ++k) factors.push_back(root(r * k));
  found->second = pairs_of(factors);
  if (radix > kernel::kGenericRadices.back()) append_prime(radix, program_.generic.table);
  return found->second;
}

/// Adds the numbers of the four-step twiddle.
void Launches::add_twiddle(const Lines& lines, std::uint64_t results) {
  const std::uint64_t order = lines.twiddle;
  if (order == 0) {
    numbers_.insert(numbers_.end(), {1, 0, 0, 0, 0, 0});
    return;
  }
  const std::uint64_t unit = kernel::four_step_unit(order);
  const std::uint64_t entries = base::ceil_divide(order, unit);
  const base::Roots root(order);
  const auto table = [&](std::uint64_t count, const auto& phase_of) {
    Factors factors;
    for (std::uint64_t k = 0; k < count; ++k) {
      const auto value = root(phase_of(k));
      factors.push_back(lines.conjugate_twiddle ? std::conj(value) : value);
    }
    numbers_.push_back(table_of(factors));
  };
  number(unit), number(std::bit_width(unit) - 1);
  table(entries, [&](std::uint64_t k) { return k * unit; });
  table(unit, [](std::uint64_t k) { return k; });
  number(entries);
  if (!vectors()) return number(0);
  table(results * lanes_, [&](std::uint64_t k) { return k / lanes_ * (k % lanes_); });
}

/// Adds the numbers of one end. At load, the entries of lists also say which parts count.
void Launches::add_end(const LineEnd& end, const EdgeUse& use, bool load,
                       const std::vector<std::uint64_t>& strides) {
  const Edge& edge = use.edge;
  const bool half = is_half(use);
  const bool lists = edge.is_combination() && !half;
  const auto kind = half              ? GenericEdge::half
                    : lists           ? GenericEdge::combination
                    : edge.is_plain() ? GenericEdge::none
                                      : GenericEdge::factors;
  number(end.unit), number(end.stride), number(end.parts);
  number(static_cast<unsigned>(kind)), number(edge.conjugate ? 1 : 0);
  number(use.point_step == 0 ? 1 : use.point_step), number(use.point_step == 0 ? 0 : 1);
  numbers_.push_back(lists ? list_of(edge.i, load ? &edge.real_i : nullptr) : 0);
  numbers_.push_back(lists ? list_of(edge.j, load ? &edge.real_j : nullptr) : 0);
  numbers_.push_back(half ? pairs_of(edge.turned) : edge.is_plain() ? 0 : table_of(edge.a));
  numbers_.push_back(lists ? table_of(edge.b) : 0);
  number(edge.a.size());
  for (std::size_t d = 0; d < kernel::kGenericDimensions; ++d)
    number(d < strides.size() ? strides[d] : 0);
}

/// Returns the lines of a tile of work-items.
std::uint64_t Launches::tile_of(std::uint64_t lines, std::uint64_t points) const {
  if (!rows_)
    return std::min({std::bit_ceil(lines), kMostLines,
                     std::bit_floor(std::max<std::uint64_t>(capacity_ / points, 1))});
  // The points of a lane are an odd number apart, which avoids bank conflicts. Half spectra have
  // one element more than points. The groups have equal numbers of lines, but for the last one.
  std::uint64_t most = std::min({lines, kMostRowLines, capacity_ / (points + 1)});
  if (most > 1 && most % 2 == 0 && (points + 1) * (most + 1) > capacity_) --most;
  most = std::max<std::uint64_t>(most, 1);
  return base::ceil_divide(lines, base::ceil_divide(lines, most));
}

std::uint64_t Launches::write(const Lines& lines, const EdgeUse& load, const EdgeUse& store) {
  const Axis& axis = lines.axis;
  // Columns are those of the first loop.
  const bool fixed = load.point_step > 0 || store.point_step > 0 || lines.twiddle > 0;
  auto loops = arranged({lines.loops.begin() + (fixed ? 1 : 0), lines.loops.end()});
  if (fixed) loops.insert(loops.begin(), lines.loops[0]);
  if (loops.empty()) loops.emplace_back();
  const int most = rows_ ? kernel::kRowDimensions : kernel::kGenericDimensions;
  if (loops.size() > static_cast<std::size_t>(most)) refuse();
  const std::uint64_t tile = vectors() ? lanes_ : tile_of(loops[0].extent, axis.points);
  const std::uint64_t tiles = base::ceil_divide(loops[0].extent, tile);
  std::uint64_t groups = tiles;
  std::vector<std::uint64_t> in_strides, out_strides;
  for (std::size_t d = 0; d < loops.size(); ++d) {
    in_strides.push_back(loops[d].in_stride), out_strides.push_back(loops[d].out_stride);
    if (d > 0) groups = checked(groups * loops[d].extent);
  }

  numbers_.clear();
  number(axis.points), number(store.edge.count), divisor(store.edge.count);
  divisor(axis.points / 2 + 1);
  number(axis.inverse ? 1 : 0);
  number(tile), divisor(tile), number(tiles);
  for (std::size_t d = 0; d < kernel::kGenericDimensions; ++d)
    number(d < loops.size() ? loops[d].extent : 1);
  add_end(lines.in, load, true, in_strides);
  add_end(lines.out, store, false, out_strides);
  add_twiddle(lines, store.edge.count);
  add_passes(axis.points);
  return groups;
}

void Launches::add_passes(std::uint64_t points) {
  const auto passes = radices_of(points, rows_);
  const auto is_prime = [](unsigned radix) { return radix > kernel::kGenericRadices.back(); };
  const bool apart = rows_ && !vectors();
  const auto primes = std::count_if(passes.begin(), passes.end(), is_prime);
  number(passes.size() + (apart ? static_cast<std::uint64_t>(primes) : 0));
  std::uint64_t done = 1;
  flips_ = false;
  for (const unsigned radix : passes) {
    const std::int32_t table = twiddles(radix, done);
    const unsigned half = rows_ && flips_ ? kernel::kPassOdd : 0;
    const auto add = [&](unsigned code) {
      number(code), number(done), numbers_.push_back(table);
      divisor(done), divisor(points / radix);
    };
    if (apart && is_prime(radix)) add(radix + half + kernel::kPassSums);
    add(radix + half);
    done *= radix, flips_ = !flips_;
  }
}

void Launches::add(const Lines& lines, const EdgeUse& load, const EdgeUse& store) {
  const std::uint64_t groups = write(lines, load, store);
  if (rows_) {
    RowLines row;
    row.groups = groups, row.swaps_back = lines.axis.inverse;
    // Lists of columns name elements of the whole row, which are not in the tile.
    if (load.point_step == 0 && !is_half(load)) row.elements = elements_of(load.edge);
    return end_lines(lines, row);
  }
  kernel::Launch launch;
  launch.in.memory = lines.in.memory, launch.out.memory = lines.out.memory;
  launch.scale = lines.scale;
  launch.groups = groups;
  end_launch(std::move(launch));
}

void Launches::add_convolution(const Lines& lines, const Convolution& both) {
  Lines whole = lines;
  whole.axis = both.forth;
  RowLines row;
  row.groups = write(whole, {both.forth.load}, {both.back.store});
  row.swaps_back = both.back.inverse;
  row.elements = elements_of(both.forth.load);
  row.product = table_of(both.forth.store.a);
  row.product_entries = both.forth.store.a.size();
  end_lines(lines, row);
}

void Launches::end_lines(const Lines& lines, RowLines row) {
  auto& numbers = program_.generic.numbers;
  row.first_number = numbers.size();
  row.from = lines.in.memory, row.to = lines.out.memory;
  row.in_unit = lines.in.unit, row.out_unit = lines.out.unit;
  row.scale = lines.scale, row.flips = flips_;
  row.from_half = (scratch_uses_ + 1) % 2;
  if (row.to == kernel::Memory::scratch) row.to_half = scratch_uses_++ % 2;
  numbers.insert(numbers.end(), numbers_.begin(), numbers_.end());
  shape_.lines.push_back(row);
}

RowShape Launches::take_shape() {
  shape_.scratch_elements = scratch_elements_;
  scratch_elements_ = scratch_uses_ = 0;
  return std::exchange(shape_, {});
}

std::int32_t Launches::add_row(const RowLines& lines, std::uint64_t in, std::uint64_t out) {
  const auto [scale, added] = factors_.try_emplace(lines.scale, 0);
  if (added) {
    scale->second = static_cast<std::int32_t>(checked(program_.generic.table.size()));
    program_.generic.table.push_back(lines.scale);
  }
  auto& numbers = program_.generic.numbers;
  const std::size_t first = checked(numbers.size());
  numbers_.clear();
  number(lines.first_number);
  for (const std::uint64_t place : {in, out}) {
    number(place % (std::uint64_t{1} << kernel::kRowPlaceBits));
    number((place >> kernel::kRowPlaceBits) + 1);
  }
  numbers_.push_back(scale->second);
  number(lines.elements), divisor(lines.elements);
  numbers_.push_back(lines.product), number(lines.product_entries);
  number(lines.swaps_back ? 1 : 0), number(lines.flips ? 1 : 0);
  numbers.insert(numbers.end(), numbers_.begin(), numbers_.end());
  return static_cast<std::int32_t>(first);
}

void Launches::add_groups(std::vector<std::int32_t> groups, kernel::Launch launch) {
  auto& numbers = program_.generic.numbers;
  launch.first_number = checked(numbers.size());
  launch.groups = groups.size() / kernel::kGroupNumbers;
  numbers.insert(numbers.end(), groups.begin(), groups.end());
  checked(numbers.size());
  program_.launches.push_back(std::move(launch));
}

void Launches::end_launch(kernel::Launch launch) {
  auto& numbers = program_.generic.numbers;
  launch.first_number = numbers.size();
  // Each launch reads what the one before wrote, and so writes to the other half of scratch.
  launch.in.offset = (scratch_uses_ + 1) % 2;
  if (launch.out.memory == kernel::Memory::scratch) launch.out.offset = scratch_uses_++ % 2;
  numbers.insert(numbers.end(), numbers_.begin(), numbers_.end());
  program_.launches.push_back(std::move(launch));
}

kernel::Program Launches::take() {
  auto& table = program_.generic.table;
  table.resize(table.size() + kernel::kGenericTablePadding);
  if (rows_) return std::move(program_);
  // A program without hooks does not compile their kernel.
  if (std::none_of(program_.launches.begin(), program_.launches.end(),
                   [](const kernel::Launch& launch) { return launch.step == 1; }))
    program_.steps.pop_back();
  for (kernel::Launch& launch : program_.launches) {
    for (kernel::Place* place : {&launch.in, &launch.out})
      place->offset *= place->memory == kernel::Memory::scratch ? scratch_elements_ : 0;
  }
  const std::uint64_t halves = scratch_uses_ > 1 ? 2 : 1;
  program_.scratch_bytes =
      halves * scratch_elements_ * 2 * base::bytes_of(program_.steps[0].precision);
  return std::move(program_);
}

}  // namespace imago::generic
