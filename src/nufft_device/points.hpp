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

/// Device memory that is allocated again only if more is needed: allocation takes longer than the
/// sort on some devices.
class Reserved {
 public:
  /// Returns memory of at least this size. Its contents are undefined.
  cl_mem reserve(cl_context context, std::size_t bytes);
  cl_mem get() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  runtime::Handle<cl_mem> memory_;
  std::size_t bytes_ = 0;
};

/// Points in the order of bins. A bin of many points has several parts.
struct SortedPoints {
  std::size_t count = 0;
  nufft::NufftGrid grid = {};
  std::size_t parts = 0, slots = 0;  ///< parts of all bins, and those of bins that have several
  Reserved order;                    ///< numbers of the points
  Reserved cells, offsets;           ///< for each axis: first cells, places in them
  Reserved starts;                   ///< for each bin, and after the last: its first point
  Reserved first_part, first_slot, bin_of_part;
  Reserved tiles;                                         ///< tiles of the slots
  Reserved other_order, places, keys[2], counts, report;  ///< memory of the sort

  std::size_t bytes() const;  ///< bytes of device memory
};

/// Arrays of coordinates, the fastest axis first.
struct CoordinateArrays {
  std::span<const CoordinateArray> axes;
  std::size_t count = 0;  ///< number of points
};

/// Replaces sorted points, and waits for the result. Throws InvalidArgument for a coordinate that
/// is not finite; then there are no points.
void sort_points(const Setup& setup, const Programs& programs, runtime::Sequence& sequence,
                 const CoordinateArrays& arrays, SortedPoints& sorted);

/// Allocates the tiles of the slots, for so many members of a batch.
void allocate_tiles(const Setup& setup, SortedPoints& points, std::size_t members);

}  // namespace imago::nufft_device
