// This file sorts points by bins of the grid, on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nufft_device/programs.hpp"
#include "runtime/sequence.hpp"

namespace imago::nufft_device {

/// An array of coordinates; its offset is in coordinates.
struct CoordinateArray {
  cl_mem memory = nullptr;
  std::uint64_t offset = 0;
};

/// Points in the order of bins. A bin of many points has several parts.
struct SortedPoints {
  std::size_t count = 0;  ///< 0: there is no memory
  nufft::NufftGrid grid = {};
  std::size_t parts = 0, slots = 0;  ///< parts of all bins, and those of bins that have several
  std::size_t bytes = 0;             ///< bytes of device memory
  runtime::Handle<cl_mem> order;     ///< numbers of the points
  runtime::Handle<cl_mem> cells, offsets;  ///< for each axis: first cells, places in them
  runtime::Handle<cl_mem> starts;          ///< for each bin, and after the last: its first point
  runtime::Handle<cl_mem> first_part, first_slot, bin_of_part;
  runtime::Handle<cl_mem> tiles;  ///< of the slots; null if there are none
};

/// Sorts points. `axes` has the arrays of the axes, the fastest first. Waits for the result. Throws
/// InvalidArgument for a coordinate that is not finite.
SortedPoints sort_points(const Setup& setup, const Programs& programs, runtime::Sequence& sequence,
                         std::span<const CoordinateArray> axes, std::size_t count);

/// Allocates the tiles of the slots, for so many members of a batch.
void allocate_tiles(const Setup& setup, SortedPoints& points, std::size_t members);

}  // namespace imago::nufft_device
