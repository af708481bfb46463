// This file divides the grid of a nonuniform transform into bins, whose tiles fit local memory.
#include "nufft/bins.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "base/integers.hpp"
#include "base/precision.hpp"
#include "lines/mapping.hpp"

namespace imago::nufft {
namespace {

/// Divides an axis of the grid into bins of about `wanted` cells. Tiles of bins that have one other
/// between them must not meet: all tiles are as long as that of the largest bin, which may have a
/// cell more than its neighbour, so no bin has fewer cells than the width.
void divide(NufftGrid& grid, std::size_t axis, std::size_t wanted, std::size_t width) {
  const std::uint64_t cells = grid.cells[axis];
  std::uint64_t bins = cells / std::max(wanted, width) & ~std::uint64_t{1};
  constexpr std::uint64_t kUnit = std::uint64_t{1} << 32;
  const auto scale = [&] { return std::min(bins * kUnit / cells, kUnit - 1); };
  const auto last = [&] { return cells - base::ceil_divide((bins - 1) * kUnit, scale()); };
  while (bins > 1 && last() < width) bins -= 2;
  bins = std::max<std::uint64_t>(bins, 1);
  grid.bins[axis] = static_cast<uint>(bins);
  grid.bins_of_cell[axis] = static_cast<uint>(scale());
  const std::uint64_t largest = std::min(cells, base::ceil_divide(kUnit, scale()));
  grid.tile[axis] = static_cast<uint>(largest + width - 1);
}

/// Returns the distance of rows at which the fewest cells of neighbouring rows share a bank of
/// local memory: 16 pairs of words are accessed at a time.
uint pitch_of(uint row, std::size_t width) {
  constexpr uint kBanks = 16;
  uint best = row;
  std::size_t fewest = ~std::size_t{0};
  for (uint pitch = row; pitch < row + kBanks; ++pitch) {
    std::array<std::size_t, kBanks> users = {};
    for (std::size_t i = 0; i < kBanks; ++i) ++users[(i / width * pitch + i % width) % kBanks];
    const std::size_t most = *std::max_element(users.begin(), users.end());
    if (most < fewest) fewest = most, best = pitch;
  }
  return best;
}

struct PointSizes {
  std::size_t axes, width, real_bytes, local_bytes;
  std::size_t members = 0;  ///< members with points of their own
  double points = 0;        ///< expected points of a member
  std::size_t complex_bytes() const { return 2 * real_bytes; }
  /// Returns the cells of a point that work-items share.
  std::size_t lanes() const { return axes == 1 ? width : width * width; }
  std::size_t rounded_lanes() const {
    constexpr std::size_t kLeastItems = 64;
    return std::max(kLeastItems, base::ceil_divide(lanes(), 32) * 32);
  }
  /// Returns the bytes of a point that work-items have prepared.
  std::size_t staged() const {
    return axes * width * real_bytes + complex_bytes() + axes * sizeof(std::uint32_t);
  }
  /// Returns the bytes of a plane of a tile.
  std::size_t plane(const NufftGrid& grid) const {
    return std::size_t{grid.pitch} * grid.tile[1] * complex_bytes();
  }
};

PointSizes sizes_of(const NufftTransform& transform, const SpreadingWindow& window,
                    const device::Facts& facts) {
  // NVIDIA's driver allows no more in the arguments of a kernel, whatever arrays may have.
  constexpr std::size_t kMostLocal = 48 * 1024;
  return {
      transform.modes.size(),
      window.width(),
      base::bytes_of(transform.precision),
      facts.type == device::Type::cpu ? facts.local_bytes : std::min(facts.local_bytes, kMostLocal),
      transform.points_per_member ? transform.batch : 0,
      expected_points(transform)};
}

/// Makes one bin of the whole grid of a member with points of its own, which then needs no sort and
/// one launch, if its tile has at most so many bytes and there are enough members. Returns false if
/// not.
bool is_whole(NufftGrid& grid, const PointSizes& sizes, std::size_t most_bytes,
              std::size_t least_members) {
  if (sizes.members < least_members) return false;
  for (std::size_t axis = 0; axis < sizes.axes; ++axis)
    divide(grid, axis, grid.cells[axis], sizes.width);
  return std::size_t{grid.tile[0]} * grid.tile[1] * grid.tile[2] * sizes.complex_bytes() <=
         most_bytes;
}

/// Returns the bytes of local memory that are left for tiles.
std::size_t left_for_tiles(const Groups& groups, const PointSizes& sizes) {
  return sizes.local_bytes - (groups.vectors ? 2 * groups.padding * sizes.complex_bytes()
                                             : groups.batch * sizes.staged() + 64);
}

/// Chooses the planes and the teams for local memory.
void fit_slabs(NufftGrid& grid, Groups& groups, const PointSizes& sizes) {
  const std::size_t plane = sizes.plane(grid) * (groups.compensated ? 2 : 1),
                    left = left_for_tiles(groups, sizes);
  grid.planes = static_cast<uint>(
      std::clamp<std::size_t>(left / plane, 1, std::min(grid.tile[2], grid.cells[2])));
  if (groups.vectors) return;
  groups.teams = static_cast<unsigned>(
      std::clamp<std::size_t>(left / (plane * grid.planes), 1,
                              std::max<std::size_t>(1, sizes.rounded_lanes() / sizes.lanes())));
}

/// Returns the bins of work-items with vectors; false if a tile does not fit local memory.
bool divide_for_vectors(NufftGrid& grid, Groups& groups, const PointSizes& sizes,
                        const device::Facts& facts) {
  const unsigned native =
      std::clamp(sizes.real_bytes == 8 ? facts.vector_f64 : facts.vector_f32, 2U, 16U);
  const auto row = static_cast<unsigned>(2 * sizes.width);
  groups = {.vectors = true, .vector = std::min(std::bit_floor(native), std::bit_ceil(row))};
  groups.vectors_of_row = row / groups.vector;
  groups.rest = row % groups.vector == 0 ? 0 : std::bit_ceil(row % groups.vector);
  if (groups.rest == groups.vector) ++groups.vectors_of_row, groups.rest = 0;
  groups.padding = (groups.vectors_of_row * groups.vector + groups.rest - row) / 2;
  static constexpr std::size_t kWanted[3][3] = {{1024, 1, 1}, {32, 32, 1}, {16, 16, 8}};
  constexpr std::size_t kMostOfMember = 128 * 1024;
  for (std::size_t divisor = 1; divisor <= 4; divisor *= 2) {
    if (divisor > 1 || !is_whole(grid, sizes, kMostOfMember, 2 * facts.compute_units)) {
      for (std::size_t axis = 0; axis < sizes.axes; ++axis)
        divide(grid, axis, kWanted[sizes.axes - 1][axis] / divisor, sizes.width);
    }
    grid.pitch = grid.tile[0];
    grid.planes = std::min(grid.tile[2], grid.cells[2]);
    const std::size_t padding = groups.padding * sizes.complex_bytes(),
                      plane = sizes.plane(grid) + padding;
    // Compensated sums need twice the memory, but no more than a plane at a time.
    if (sizes.plane(grid) * grid.tile[2] + padding <= sizes.local_bytes &&
        2 * plane <= sizes.local_bytes)
      return true;
  }
  return false;
}

/// Divides by work-items that share bins.
void divide_for_items(NufftGrid& grid, Groups& groups, const PointSizes& sizes,
                      const device::Facts& facts) {
  static constexpr std::size_t kWanted[3][3] = {{128, 1, 1}, {16, 16, 1}, {16, 8, 8}};
  constexpr std::size_t kMostOfMember = 24 * 1024;
  if (!is_whole(grid, sizes, kMostOfMember, 4 * facts.compute_units)) {
    for (std::size_t axis = 0; axis < sizes.axes; ++axis)
      divide(grid, axis, kWanted[sizes.axes - 1][axis], sizes.width);
  }
  grid.pitch = sizes.axes == 1 ? grid.tile[0] : pitch_of(grid.tile[0], sizes.width);
  constexpr std::size_t kStagedBytes = 8192;
  const std::size_t rounded = sizes.rounded_lanes();
  // Rows of work-items are powers of two. Sums do not depend on the device's limit.
  const unsigned most = std::bit_floor(facts.max_work_group);
  groups = {.spread_items = static_cast<unsigned>(std::min<std::size_t>(rounded, most)),
            .interpolate_items = std::min(128U, most)};
  if (sizes.members > 0) {  // few points leave few idle work-items
    const double of_bin = sizes.points / (std::size_t{grid.bins[0]} * grid.bins[1] * grid.bins[2]);
    while (groups.interpolate_items > 32 && groups.interpolate_items > 2 * of_bin)
      groups.interpolate_items /= 2;
  }
  groups.batch =
      static_cast<unsigned>(std::clamp<std::size_t>(kStagedBytes / sizes.staged(), 4, rounded));
  fit_slabs(grid, groups, sizes);
  groups.tiled = sizes.plane(grid) * grid.tile[2] <= sizes.local_bytes;
}

/// True if local memory holds a plane of a tile with compensated sums.
bool fits_twice(const Design& design, const PointSizes& sizes) {
  return 2 * sizes.plane(design.grid) <= left_for_tiles(design.groups, sizes);
}

}  // namespace

bool divide_into_bins(Design& design, const NufftTransform& transform, const device::Facts& facts,
                      Mapping mapping) {
  const PointSizes sizes = sizes_of(transform, design.window, facts);
  // A work-item has a bin alone on devices whose cores compute a line alone.
  const bool vectors = lines::rules_of(lines::mapping_of(mapping, facts)).one_core_per_line;
  if (!vectors || !divide_for_vectors(design.grid, design.groups, sizes, facts))
    divide_for_items(design.grid, design.groups, sizes, facts);
  return fits_twice(design, sizes);
}

std::optional<Design> generic(Design design, const NufftTransform& transform,
                              const device::Facts& facts) {
  const PointSizes sizes = sizes_of(transform, design.window, facts);
  NufftGrid& grid = design.grid;
  Groups& groups = design.groups;
  groups.generic = true;
  if (groups.vectors) {
    const auto row = static_cast<unsigned>(2 * sizes.width);
    groups.vector = sizes.real_bytes == 8 ? 4 : 8;  // kernels/nufft_generic.cl
    groups.vectors_of_row = static_cast<unsigned>(base::ceil_divide(row, groups.vector));
    groups.rest = 0;
    groups.padding = (groups.vectors_of_row * groups.vector - row) / 2;
    const std::size_t padding = groups.padding * sizes.complex_bytes();
    if (sizes.plane(grid) * grid.tile[2] + padding > sizes.local_bytes ||
        2 * (sizes.plane(grid) + padding) > sizes.local_bytes)
      return {};
  } else {
    constexpr unsigned kItems = 64;
    groups.spread_items = groups.interpolate_items =
        std::min(kItems, std::bit_floor(facts.max_work_group));
    groups.tiled = false;
  }
  fit_slabs(grid, groups, sizes);
  return design;
}

Design compensated(Design design, const NufftTransform& transform, const device::Facts& facts) {
  design.groups.compensated = true;
  design.most_in_one_place = std::numeric_limits<double>::infinity();
  fit_slabs(design.grid, design.groups, sizes_of(transform, design.window, facts));
  return design;
}

}  // namespace imago::nufft
