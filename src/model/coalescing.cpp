// This file describes a kernel's accesses to global memory.
#include "model/coalescing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace imago::model {
namespace {

constexpr double kSector = 32;    // bytes (CUDA best practices guide, "Coalesced access")
constexpr double kLine = 128;     // bytes per clock and compute unit (same guide)
constexpr double kShortest = 16;  // bytes of Rates::segments[0]; each next one doubles
constexpr double kPage = 4096;
constexpr double kDoublingsToPage = 4;  // from 256 bytes to 4096
// Nanoseconds that one core needed for a segment of 128 bytes, alternating between 32, 64 .. 4096
// pages (docs/measured/pages.txt), minus those for 32 pages. A prefetcher follows lines in up to 32
// pages (Intel 64 and IA-32 Architectures Optimization Reference Manual, "Hardware Prefetching",
// the streamer). Beyond 1536 to 2048 pages the second-level TLB no longer holds their translations
// (same manual).
constexpr double kFirstPages = 32;
constexpr std::array<double, 8> kLoadWait = {0, 1.6, 4.3, 4.6, 4.7, 7.7, 11, 16};
constexpr std::array<double, 8> kStoreWait = {0, 1.7, 5.5, 20, 20, 20, 20, 20};

struct Dimension {
  std::uint64_t extent = 1, stride = 1;
};

/// Returns true if pairs of real numbers are adjacent, and thus as long as complex numbers.
bool neighbours(const kernel::Step& step, kernel::End end) {
  return (end == kernel::End::load ? step.in.pair_stride : step.out.pair_stride) == 1;
}

double bytes_of(const kernel::Step& step, kernel::End end) {
  const kernel::Elements elements = end == kernel::End::load ? step.in.elements : step.out.elements;
  const auto bytes =
      static_cast<double>(end == kernel::End::load ? step.bytes(step.in) : step.bytes(step.out));
  const bool paired = elements != kernel::Elements::pairs || neighbours(step, end);
  return elements == kernel::Elements::real || !paired ? bytes / 2 : bytes;
}

/// Returns a stride between points, in elements of bytes_of().
std::uint64_t in_pairs(const kernel::Step& step, kernel::End end, std::uint64_t stride) {
  const kernel::Elements elements = end == kernel::End::load ? step.in.elements : step.out.elements;
  const bool pairs = elements == kernel::Elements::pairs && neighbours(step, end);
  return pairs ? std::max<std::uint64_t>(1, stride / 2) : stride;
}

std::uint64_t stride_of(const kernel::Step& step, const kernel::Column& column, kernel::End end) {
  return in_pairs(step, end, end == kernel::End::load ? column.in.stride : column.out.stride);
}

/// Returns the columns of one tile; at most two dimensions of them matter.
std::array<Dimension, 2> tile_of(const kernel::Step& step, kernel::End end,
                                 std::uint64_t distance) {
  if (step.columns.empty()) return {{{step.tile, in_pairs(step, end, distance)}, {1, 1}}};
  const kernel::Column& first = step.columns[0];
  // Mirrored columns come from two distant ranges, but their elements are contiguous.
  const bool numbered = (end == kernel::End::load ? step.at_load() : step.at_store()).numbered;
  if (numbered && step.mirrors(kernel::Mirror::elements)) {
    const bool load = end == kernel::End::load;
    const std::uint64_t apart =
        load ? step.in.stride / step.in.point : step.out.stride / step.out.point;
    return {{{step.tile, apart}, {1, 1}}};
  }
  const std::uint64_t most = step.mirrored() ? step.tile / 2 : step.tile;
  const std::uint64_t extent = first.mirrored() ? first.pairs() : first.extent;
  const std::uint64_t inner = std::min<std::uint64_t>(most, extent);
  const std::uint64_t stride = stride_of(step, first, end);
  std::array<Dimension, 2> tile{{{inner, stride}, {1, 1}}};
  if (step.tile == inner) return tile;
  if (first.mirrored())
    tile[1] = {step.tile / inner, stride * (first.extent / 2)};
  else if (step.columns.size() > 1)
    tile[1] = {step.tile / inner, stride_of(step, step.columns[1], end)};
  return tile;
}

/// Returns the contiguous elements of the dimensions, whatever their order.
template <std::size_t N>
std::uint64_t run_of(std::array<Dimension, N> dimensions) {
  std::sort(dimensions.begin(), dimensions.end(),
            [](const Dimension& a, const Dimension& b) { return a.stride < b.stride; });
  std::uint64_t run = 1;
  for (const Dimension& d : dimensions) {
    if (d.extent > 1 && d.stride <= run) run = d.stride * (d.extent - 1) + run;
  }
  return run;
}

/// Returns the least distance between two runs, in elements; 0 if there is one run.
std::uint64_t distance_of(std::uint64_t run, const std::array<Dimension, 3>& dimensions) {
  std::uint64_t least = 0;
  for (const Dimension& d : dimensions) {
    if (d.extent > 1 && d.stride > run && (least == 0 || d.stride < least)) least = d.stride;
  }
  return least;
}

/// Returns the pages accessed alternately. Along a dimension without gaps, pages follow each other.
double pages_of(double element, const std::array<Dimension, 3>& dimensions) {
  double pages = 1;
  for (const Dimension& d : dimensions) {
    if (d.stride <= 1) continue;
    const auto extent = static_cast<double>(d.extent);
    pages *= std::clamp(extent * static_cast<double>(d.stride) * element / kPage, 1.0, extent);
  }
  return pages;
}

}  // namespace

Access access_of(const kernel::Step& step, kernel::End end, std::uint64_t distance, unsigned simd) {
  const std::uint64_t stride =
      in_pairs(step, end, end == kernel::End::load ? step.in.stride : step.out.stride);
  const auto tile = tile_of(step, end, distance);
  const kernel::Elements elements = end == kernel::End::load ? step.in.elements : step.out.elements;
  const bool halved = step.halved_axis() && elements == kernel::Elements::real;
  const Dimension points{step.length * (halved ? 2 : 1), stride};
  const double bytes = bytes_of(step, end);
  Access access;
  const std::uint64_t contiguous = run_of<3>({points, tile[0], tile[1]});
  access.segment = bytes * static_cast<double>(contiguous);
  const auto sector = static_cast<std::uint64_t>(kSector / bytes);
  if (const auto apart = distance_of(contiguous, {points, tile[0], tile[1]}); apart != 0)
    access.crooked = 1 - static_cast<double>(std::gcd(apart, sector)) / static_cast<double>(sector);
  access.pages = pages_of(bytes, {points, tile[0], tile[1]});
  const auto* const group = std::get_if<kernel::WorkGroup>(&step.lanes);
  if (!group || group->staged || step.passes.empty()) return access;
  // A request has this many work-items, the fastest index first.
  const kernel::Pass& pass = end == kernel::End::load ? step.passes.front() : step.passes.back();
  const std::uint64_t lanes = std::max(1u, simd);
  // Along the fast axis of a plane, work-items store runs of as many elements as it has finished
  // digits.
  const std::uint64_t digits = pass.left * pass.done;
  const bool in_runs = end == kernel::End::store && !step.reorders() && !pass.columns_fastest &&
                       pass.outer > 1 && digits < group->items;
  const std::uint64_t own = step.reorders() ? step.length  // in the order of memory
                            : in_runs       ? digits
                                            : group->items;
  const Dimension items{std::min<std::uint64_t>(own, lanes), stride};
  const Dimension columns{std::min(tile[0].extent, lanes), tile[0].stride};
  Dimension fast = pass.columns_fastest ? columns : items;
  Dimension slow = pass.columns_fastest ? items : columns;
  if (in_runs) slow = {group->items / digits, stride * digits * pass.radix};
  slow.extent = std::min(slow.extent, std::max<std::uint64_t>(1, lanes / fast.extent));
  const double run = bytes * static_cast<double>(run_of<2>({fast, slow}));
  // Distance between consecutive runs of the request.
  std::uint64_t next = run > bytes ? slow.stride : fast.extent > 1 ? fast.stride : slow.stride;
  if (run > bytes && slow.extent == 1) next = 0;
  const double spacing = std::max(run, static_cast<double>(next) * bytes);
  const auto touched = [&](double unit) {
    return std::min(std::ceil(run / unit) * unit, spacing) / run;
  };
  access.overfetch = touched(kSector), access.lines = touched(kLine);
  access.visits = std::max(1.0, std::min(access.segment, kLine) / run);
  return access;
}

double page_wait(kernel::End end, double pages) {
  const auto& waits = end == kernel::End::load ? kLoadWait : kStoreWait;
  const double at = std::clamp(std::log2(std::max(pages, 1.0) / kFirstPages), 0.0,
                               static_cast<double>(waits.size() - 1));
  const auto i = std::min(static_cast<std::size_t>(at), waits.size() - 2);
  return 1e-9 * std::lerp(waits[i], waits[i + 1], at - static_cast<double>(i));
}

double segment_share(const device::Rates& rates, double bytes) {
  const auto last = static_cast<double>(rates.segments.size() - 1);
  const double at = std::log2(std::max(bytes, 1.0) / kShortest);
  if (at <= 0) return rates.segments.front() * std::exp2(at);
  // Above the longest measured segment the bandwidth rises; a page is as good as one stream.
  if (at >= last)
    return std::lerp(rates.segments.back(), 1.0, std::min(1.0, (at - last) / kDoublingsToPage));
  const auto i = static_cast<std::size_t>(at);
  const double part = at - static_cast<double>(i);
  return rates.segments[i] * (1 - part) + rates.segments[i + 1] * part;
}

}  // namespace imago::model
