// This file sorts points by bins of the grid, on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// Sizes of the memory of sorted points, in bytes.
struct SortedSizes {
  std::size_t order = 0;
  std::size_t sorted = 0;  ///< each of three arrays that passes of the sort write
  std::size_t cells = 0, offsets = 0, places = 0;
  std::size_t starts = 0, first_part = 0, first_slot = 0, bin_of_part = 0, first_points = 0;
  std::size_t chunk = 0, chunks = 0;  ///< points of a group in a pass of the sort, and groups
  std::size_t counts = 0, report = 0;

  std::size_t sum() const;  ///< without tiles
};
/// Returns the sizes for a number of points of some members of the batch that have points of their
/// own, or of 1.
SortedSizes sizes_of(const NufftTransform& transform, const nufft::Design& design,
                     const device::Facts& facts, std::size_t count, std::size_t members);
/// Returns the most points of a part of a bin, for a number of points.
std::uint32_t part_of(const nufft::Design& design, std::size_t count);

/// Returns the kernels that sort_points() launches, in their order, for the points of some members.
std::vector<Stage> sort_stages(const NufftTransform& transform, const nufft::Design& design,
                               std::size_t count, std::size_t members);

/// Tiles of the slots of some members of a batch, which are in memory at a time.
struct Tiles {
  std::size_t members = 1, bytes = 0;
};
Tiles tiles_of(const NufftTransform& transform, const nufft::Design& design,
               const device::Facts& facts, std::size_t slots, std::size_t members);

/// Points in the order of bins. A bin of many points has several parts.
struct SortedPoints {
  std::size_t count = 0;
  std::size_t before = 0;  ///< points of earlier members with points of their own
  nufft::NufftGrid grid = {};
  std::size_t parts = 0, slots = 0;  ///< parts of all bins, and those that have slots
  std::size_t in_one_place = 0;      ///< estimated number of points in one place that a sum adds
  Reserved order;                    ///< numbers of the points
  Reserved cells, offsets;           ///< for each axis: first cells, places in them
  Reserved starts;                   ///< for each bin, and after the last: its first point
  Reserved first_part, first_slot, bin_of_part;
  Reserved tiles;                    ///< tiles of the slots
  std::size_t members_of_tiles = 1;  ///< members of a batch whose tiles are in memory at a time
  /// Memory of the sort.
  struct {
    Reserved other_order, places, keys[2], counts, report;
    runtime::Handle<cl_mem> first_points;  ///< first point of each member with own points
    std::size_t first_points_bytes = 0;
  } sort;

  std::size_t bytes() const;  ///< bytes of device memory
};

/// Arrays of coordinates, the fastest axis first.
struct CoordinateArrays {
  std::span<const CoordinateArray> axes;
  std::size_t count = 0;  ///< number of points
  std::size_t first = 0;  ///< number of the first point in messages
  /// The number of points of each member, if members have points of their own; otherwise empty.
  std::span<const std::size_t> counts = {};
};

/// Replaces sorted points, and waits for the result. Throws InvalidArgument for a coordinate that
/// is not finite; then there are no points.
void sort_points(const Setup& setup, const Programs& programs, runtime::Sequence& sequence,
                 const CoordinateArrays& arrays, SortedPoints& sorted);

/// Allocates the tiles of the slots, for so many members of a batch at most.
void allocate_tiles(const Setup& setup, SortedPoints& points, std::size_t members);

}  // namespace imago::nufft_device
