// This file makes the launches that spread points over grids and interpolate grids at points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nufft_device/points.hpp"
#include "nufft_device/programs.hpp"
#include "runtime/sequence.hpp"

namespace imago::nufft_device {

/// Numbers of the points, in the caller's order, and the grids of some members of the batch.
struct PointsAndGrids {
  cl_mem numbers = nullptr;
  std::uint64_t offset = 0;  ///< complex numbers before those of the first member
  cl_mem grid = nullptr;
  std::size_t members = 1;
  std::uint64_t grid_offset = 0;  ///< cells before the first grid, for spread()
  bool clears =
      false;  ///< spread() clears the grids of members with one bin and points of their own
};

/// A design and its kernels.
struct Spreading {
  explicit Spreading(const Setup& setup) : design(setup.design), programs(setup) {}

  nufft::Design design;
  Programs programs;
};

/// True if the setup's sums would exceed the tolerance because many points are in one place, so
/// that their rounding errors add up.
bool needs_compensation(const Setup& setup, const SortedPoints& points);

/// A launch of spread(): of the parts that have slots, of the sum of their slots, or of the bins of
/// a parity.
struct SpreadLaunch {
  Stage stage = Stage::spread;
  std::size_t first = 0, members = 1;  ///< members of the batch
  bool of_parts = false;
  unsigned parity = 0;
};
/// Returns the launches of spread(), of parts in `slots` slots, if the tiles of `members_of_tiles`
/// members are in memory at a time: those of all members with points of their own.
std::vector<SpreadLaunch> spread_launches(const nufft::Design& design, std::size_t slots,
                                          std::size_t members, std::size_t members_of_tiles);
/// Returns launches that add the points to grids.
std::vector<runtime::KernelLaunch> spread(const nufft::Design& design, const Programs& programs,
                                          const SortedPoints& points,
                                          const PointsAndGrids& exchange);
/// Returns launches that compute the values at the points.
std::vector<runtime::KernelLaunch> interpolate(const nufft::Design& design,
                                               const Programs& programs, const SortedPoints& points,
                                               const PointsAndGrids& exchange);

}  // namespace imago::nufft_device
