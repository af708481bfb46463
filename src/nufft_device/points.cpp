// This file sorts points by bins of the grid: a stable sort by digits, so that equal points give
// equal sums.
#include "nufft_device/points.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"

namespace imago::nufft_device {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

/// Sorts on one queue; the kernel objects are its own.
class Sorter {
 public:
  Sorter(const Setup& setup, const Programs& programs, runtime::Sequence& sequence,
         SortedPoints& sorted)
      : setup_(setup), programs_(programs), sequence_(sequence), sorted_(sorted) {}

  void sort(const CoordinateArrays& arrays);

 private:
  void launch(Stage stage, cl_kernel kernel, std::size_t groups) {
    sequence_.launch(programs_.launch(stage, kernel, groups));
  }
  runtime::Arguments coordinates(cl_kernel kernel, const CoordinateArrays& arrays) const;
  runtime::Arguments& add_members(runtime::Arguments& arguments) const;
  cl_mem keys() const { return (passes_.count == 0 ? sorted_.order : sorted_.sort.keys[0]).get(); }
  cl_uint bins() const;
  void send_first_points(std::span<const std::size_t> counts);
  void reserve();
  void enqueue(const CoordinateArrays& arrays, const std::vector<Stage>& stages);
  void launch_of_pass(Stage stage, unsigned shift);
  void launch_generic(Stage stage, const CoordinateArrays& arrays);
  void launch_of_points(Stage stage, const CoordinateArrays& arrays);
  void launch_of_bins(Stage stage);

  const Setup& setup_;
  const Programs& programs_;
  runtime::Sequence& sequence_;
  SortedPoints& sorted_;
  SortedSizes sizes_;
  std::size_t members_ = 1;  ///< members with points of their own, or 1
  SortPasses passes_;
};

/// Sets the arguments that the kernels of coordinates begin with. Missing axes get any array.
runtime::Arguments Sorter::coordinates(cl_kernel kernel, const CoordinateArrays& arrays) const {
  runtime::Arguments arguments(kernel);
  arguments.value(sorted_.grid);
  const auto at = [&](std::size_t axis) {
    return arrays.axes[axis < arrays.axes.size() ? axis : 0];
  };
  for (std::size_t axis = 0; axis < 3; ++axis) arguments.value(at(axis).memory);
  for (std::size_t axis = 0; axis < 3; ++axis) arguments.value(cl_ulong{at(axis).offset});
  return arguments;
}

void Sorter::reserve() {
  const auto reserve = [&](Reserved& memory, std::size_t bytes) {
    memory.reserve(setup_.target.context, bytes);
  };
  reserve(sorted_.order, sizes_.order);
  for (Reserved* const numbers :
       {&sorted_.sort.other_order, &sorted_.sort.keys[0], &sorted_.sort.keys[1]})
    reserve(*numbers, sizes_.sorted);
  reserve(sorted_.cells, sizes_.cells);
  reserve(sorted_.offsets, sizes_.offsets);
  reserve(sorted_.sort.places, sizes_.places);
  reserve(sorted_.starts, sizes_.starts);
  reserve(sorted_.first_part, sizes_.first_part);
  reserve(sorted_.first_slot, sizes_.first_slot);
  reserve(sorted_.bin_of_part, sizes_.bin_of_part);
  reserve(sorted_.sort.counts, sizes_.counts);
  reserve(sorted_.sort.report, sizes_.report);
}

/// Sends the first point of each member with points of its own, and the number of all.
void Sorter::send_first_points(std::span<const std::size_t> counts) {
  if (counts.empty()) return;
  std::vector<std::uint32_t> first = {0};
  for (const std::size_t count : counts)
    first.push_back(first.back() + static_cast<std::uint32_t>(count));
  sorted_.sort.first_points_bytes = 0;
  sorted_.sort.first_points = {};
  sorted_.sort.first_points =
      runtime::allocate_copy(setup_.target.context, sizes_.first_points, first.data());
  sorted_.sort.first_points_bytes = sizes_.first_points;
}

/// Returns the number of bins of all members.
cl_uint Sorter::bins() const { return static_cast<cl_uint>(members_ * setup_.design.bins()); }

/// Sets the last arguments of the kernel of keys. The keys are the order if a member has one bin.
runtime::Arguments& Sorter::add_members(runtime::Arguments& arguments) const {
  return arguments
      .value(static_cast<cl_uint>(setup_.design.grid.bins_of_member == 0 ? 0 : members_))
      .value(sorted_.sort.first_points.get());
}

/// Enqueues a pass of the sort of keys, with the numbers of the points. The results are keys[0] and
/// order.
void Sorter::launch_of_pass(Stage stage, unsigned shift) {
  const std::size_t chunks = sizes_.chunks;
  const auto digits = cl_uint{1} << passes_.bits;
  const cl_mem counts = sorted_.sort.counts.get();
  const auto points = static_cast<cl_uint>(sorted_.count),
             of_chunk = static_cast<cl_uint>(sizes_.chunk);
  const auto kernel = programs_.kernel(stage);
  runtime::Arguments arguments(kernel.get());
  if (stage == Stage::scan) {
    arguments.value(static_cast<cl_uint>(chunks)).value(digits).value(counts);
    return launch(stage, kernel.get(), digits);
  }
  arguments.value(points).value(of_chunk).value(cl_uint{shift}).value(digits);
  if (stage == Stage::count) {
    arguments.value(sorted_.sort.keys[0].get()).value(counts);
    return launch(stage, kernel.get(), chunks);
  }
  arguments.value(cl_uint{shift == 0})
      .value(cl_uint{passes_.count == 1})
      .value(sorted_.sort.keys[0].get())
      .value(sorted_.order.get())
      .value(counts)
      .value(sorted_.sort.keys[1].get())
      .value(sorted_.sort.other_order.get())
      .value(bins())
      .value(sorted_.starts.get());
  launch(stage, kernel.get(), chunks);
  std::swap(sorted_.sort.keys[0], sorted_.sort.keys[1]);
  std::swap(sorted_.order, sorted_.sort.other_order);
}

/// Enqueues the generic kernel for both stages of launch_of_points().
void Sorter::launch_generic(Stage stage, const CoordinateArrays& arrays) {
  const auto kernel = programs_.kernel(Stage::keys);
  auto arguments = coordinates(kernel.get(), arrays);
  arguments.value(keys())
      .value(sorted_.sort.report.get())
      .value(sorted_.order.get())
      .value(bins())
      .value(sorted_.cells.get())
      .value(sorted_.offsets.get())
      .value(sorted_.starts.get())
      .value(cl_uint{passes_.count <= 1})
      .value(programs_.constants())
      .value(cl_uint{stage == Stage::place});
  add_members(arguments);
  launch(Stage::keys, kernel.get(),
         base::ceil_divide(sorted_.count, programs_.points(Stage::keys)));
}

/// Enqueues a kernel of the points' coordinates: their bins, or their places once they are sorted.
void Sorter::launch_of_points(Stage stage, const CoordinateArrays& arrays) {
  if (programs_.is_generic()) return launch_generic(stage, arrays);
  const auto kernel = programs_.kernel(stage);
  auto arguments = coordinates(kernel.get(), arrays);
  arguments.value(sorted_.sort.places.get()).value(keys());
  if (stage == Stage::keys)
    add_members(arguments.value(sorted_.sort.report.get()));
  else
    arguments.value(sorted_.order.get())
        .value(bins())
        .value(sorted_.cells.get())
        .value(sorted_.offsets.get())
        .value(sorted_.starts.get())
        .value(cl_uint{passes_.count <= 1});
  launch(stage, kernel.get(), base::ceil_divide(sorted_.count, programs_.points(stage)));
}

/// Enqueues a kernel of the sorted bins: their division into parts, or the search for places with
/// many points.
void Sorter::launch_of_bins(Stage stage) {
  const auto kernel = programs_.kernel(stage);
  runtime::Arguments arguments(kernel.get());
  arguments.value(sorted_.grid).value(bins());
  if (stage == Stage::parts)
    arguments.value(sorted_.starts.get())
        .value(sorted_.first_part.get())
        .value(sorted_.first_slot.get())
        .value(sorted_.bin_of_part.get());
  else
    arguments.value(static_cast<cl_uint>(setup_.design.most_in_one_place))
        .value(sorted_.starts.get())
        .value(sorted_.cells.get())
        .value(sorted_.offsets.get());
  arguments.value(sorted_.sort.report.get());
  launch(stage, kernel.get(), 1);
}

/// Enqueues the sort, and the division of bins into parts.
void Sorter::enqueue(const CoordinateArrays& arrays, const std::vector<Stage>& stages) {
  // Static, because the queue may read it when this function has returned.
  static constexpr std::array<std::uint32_t, nufft::IMAGO_NUFFT_REPORT> kReport = {
      nufft::IMAGO_NUFFT_NO_POINT};
  sequence_.write(sorted_.sort.report.get(), 0, sizeof kReport, kReport.data());
  if (passes_.count == 0)
    sequence_.copy({sorted_.sort.first_points.get(), 0, sorted_.starts.get(), 0, sizes_.starts});
  unsigned shift = 0;
  for (const Stage stage : stages) {
    if (stage == Stage::keys || stage == Stage::place)
      launch_of_points(stage, arrays);
    else if (stage == Stage::parts || stage == Stage::crowds)
      launch_of_bins(stage);
    else
      launch_of_pass(stage, shift);
    if (stage == Stage::scatter) shift += passes_.bits;
  }
}

void Sorter::sort(const CoordinateArrays& arrays) {
  sorted_.count = arrays.count;
  sorted_.parts = sorted_.slots = sorted_.in_one_place = 0;
  sorted_.grid = setup_.design.grid;
  sorted_.grid.points = static_cast<cl_uint>(arrays.count);
  sorted_.grid.part = part_of(setup_.design, arrays.count);
  if (arrays.count == 0) return;
  members_ = std::max<std::size_t>(1, arrays.counts.size());
  passes_ = passes_of(setup_.design, members_);
  sizes_ = sizes_of(setup_.transform, setup_.design, setup_.facts, arrays.count, members_);
  reserve();
  send_first_points(arrays.counts);
  const auto stages = sort_stages(setup_.transform, setup_.design, arrays.count, members_);
  enqueue(arrays, stages);
  std::array<std::uint32_t, nufft::IMAGO_NUFFT_REPORT> results;
  sequence_.read(sorted_.sort.report.get(), 0, sizeof results, results.data());
  if (results[nufft::IMAGO_NUFFT_BAD_POINT] != nufft::IMAGO_NUFFT_NO_POINT) {
    sorted_.count = 0;
    base::invalid("a coordinate of point " +
                      std::to_string(arrays.first + results[nufft::IMAGO_NUFFT_BAD_POINT]),
                  "not finite", "give finite numbers");
  }
  sorted_.parts = results[nufft::IMAGO_NUFFT_PARTS];
  sorted_.slots = results[nufft::IMAGO_NUFFT_SLOTS];
  if (stages.back() == Stage::crowds)
    sorted_.in_one_place = results[nufft::IMAGO_NUFFT_IN_ONE_PLACE];
}

}  // namespace

cl_mem Reserved::reserve(cl_context context, std::size_t bytes) {
  if (bytes_ < bytes) {
    memory_ = {};
    bytes_ = 0;
    memory_ = runtime::allocate(context, bytes);
    bytes_ = bytes;
  }
  return memory_.get();
}

std::size_t SortedSizes::sum() const {
  constexpr std::size_t kSorted = 3;  // the other order, both arrays of keys
  return order + kSorted * sorted + cells + offsets + places + starts + first_part + first_slot +
         bin_of_part + counts + report + first_points;
}

std::uint32_t part_of(const nufft::Design& design, std::size_t count) {
  // The tiles of many points' parts would need too much memory.
  constexpr std::size_t kMostParts = 4096;
  // No member may depend on the points of others.
  if (design.grid.bins_of_member > 0) return design.grid.part;
  return std::max(design.grid.part, static_cast<std::uint32_t>(count / kMostParts));
}

SortedSizes sizes_of(const NufftTransform& transform, const nufft::Design& design,
                     const device::Facts& facts, std::size_t count, std::size_t members) {
  const std::size_t axes = design.lengths.size(), bins = members * design.bins(),
                    real = base::bytes_of(transform.precision);
  SortedSizes sizes;
  sizes.order = count * kWord;
  sizes.sorted = passes_of(design, members).count == 0 ? 0 : sizes.order;
  sizes.cells = axes * count * kWord;
  sizes.offsets = axes * count * real;
  // A Point of kernels/nufft_points.cl; doubles are aligned.
  const std::size_t point = base::ceil_divide(axes * (real + kWord), real) * real;
  sizes.places =
      has_lanes(transform, design, facts) || design.groups.generic ? kWord : count * point;
  sizes.starts = sizes.first_part = sizes.first_slot = (bins + 1) * kWord;
  sizes.bin_of_part = (std::min(bins, count) + count / part_of(design, count)) * kWord;
  // A chunk is the work of one group in a pass.
  constexpr std::size_t kLeastChunk = 2048, kMostChunks = 1024;
  const std::size_t most = design.groups.vectors ? 4 * facts.compute_units : kMostChunks;
  sizes.chunk = std::max(base::ceil_divide(count, most), kLeastChunk);
  sizes.chunks = base::ceil_divide(count, sizes.chunk);
  sizes.counts = (std::size_t{1} << passes_of(design, members).bits) * (sizes.chunks + 1) * kWord;
  sizes.first_points = design.grid.bins_of_member == 0 ? 0 : (members + 1) * kWord;
  sizes.report = nufft::IMAGO_NUFFT_REPORT * kWord;
  return sizes;
}

std::vector<Stage> sort_stages(const NufftTransform& transform, const nufft::Design& design,
                               std::size_t count, std::size_t members) {
  std::vector<Stage> stages;
  if (count == 0) return stages;
  stages.push_back(Stage::keys);
  for (unsigned pass = 0; pass < passes_of(design, members).count; ++pass)
    stages.insert(stages.end(), {Stage::count, Stage::scan, Stage::scatter});
  stages.insert(stages.end(), {Stage::place, Stage::parts});
  // A sum has at most the points of a part.
  const auto most = static_cast<double>(std::min<std::size_t>(count, part_of(design, count)));
  if (transform.types != NufftTypes::type2 && most > design.most_in_one_place)
    stages.push_back(Stage::crowds);
  return stages;
}

Tiles tiles_of(const NufftTransform& transform, const nufft::Design& design,
               const device::Facts& facts, std::size_t slots, std::size_t members) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 28;
  const std::size_t of_member =
      slots * design.grid.tile_cells * 2 * base::bytes_of(transform.precision);
  if (of_member == 0) return {};
  const std::size_t at_once = std::clamp<std::size_t>(
      std::min(kMostBytes, facts.memory.largest_buffer) / of_member, 1, members);
  return {at_once, at_once * of_member};
}

std::size_t SortedPoints::bytes() const {
  std::size_t sum = sort.first_points_bytes;
  for (const Reserved* const memory :
       {&order, &cells, &offsets, &starts, &first_part, &first_slot, &bin_of_part, &tiles,
        &sort.other_order, &sort.places, &sort.keys[0], &sort.keys[1], &sort.counts, &sort.report})
    sum += memory->bytes();
  return sum;
}

void sort_points(const Setup& setup, const Programs& programs, runtime::Sequence& sequence,
                 const CoordinateArrays& arrays, SortedPoints& sorted) {
  Sorter(setup, programs, sequence, sorted).sort(arrays);
}

void allocate_tiles(const Setup& setup, SortedPoints& points, std::size_t members) {
  const Tiles tiles = tiles_of(setup.transform, setup.design, setup.facts, points.slots, members);
  if (tiles.bytes == 0) return;
  points.members_of_tiles = tiles.members;
  points.tiles.reserve(setup.target.context, tiles.bytes);
}

}  // namespace imago::nufft_device
