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
  Sorter(const Setup& setup, const Programs& programs, runtime::Sequence& sequence)
      : setup_(setup), programs_(programs), sequence_(sequence) {}

  SortedPoints sort(std::span<const CoordinateArray> axes, std::size_t count);

 private:
  runtime::Handle<cl_mem> words(std::size_t count) const {
    return runtime::allocate(setup_.target.context, count * kWord);
  }
  void launch(Stage stage, cl_kernel kernel, std::size_t groups) {
    sequence_.launch({kernel, programs_.name(stage), groups, programs_.items(stage)});
  }
  std::size_t groups_of_points(Stage stage) const {
    return base::ceil_divide(count_, programs_.points(stage));
  }
  runtime::Arguments coordinates(cl_kernel kernel) const;
  void order_by_key();

  const Setup& setup_;
  const Programs& programs_;
  runtime::Sequence& sequence_;
  std::span<const CoordinateArray> axes_;
  std::size_t count_ = 0, bins_ = 0;
  nufft::NufftGrid grid_ = {};
  std::array<runtime::Handle<cl_mem>, 2> keys_, orders_;
};

/// Sets the arguments that the kernels of coordinates begin with. Missing axes get any array.
runtime::Arguments Sorter::coordinates(cl_kernel kernel) const {
  runtime::Arguments arguments(kernel);
  arguments.value(grid_);
  const auto at = [&](std::size_t axis) { return axes_[axis < axes_.size() ? axis : 0]; };
  for (std::size_t axis = 0; axis < 3; ++axis) arguments.value(at(axis).memory);
  for (std::size_t axis = 0; axis < 3; ++axis) arguments.value(cl_ulong{at(axis).offset});
  return arguments;
}

/// Sorts the keys, with the numbers of the points. The results are keys_[0] and orders_[0].
void Sorter::order_by_key() {
  // A chunk is the work of one group in a pass.
  constexpr std::size_t kLeastChunk = 2048, kMostChunks = 1024;
  const std::size_t most = setup_.design.groups.vectors ? 4 * setup_.facts.compute_units : kMostChunks;
  const std::size_t chunk = std::max(base::ceil_divide(count_, most), kLeastChunk),
                    chunks = base::ceil_divide(count_, chunk);
  const std::size_t entries = chunks << nufft::IMAGO_NUFFT_DIGIT_BITS;
  const auto counts = words(entries);
  const auto points = static_cast<cl_uint>(count_), of_chunk = static_cast<cl_uint>(chunk);
  const unsigned bits = static_cast<unsigned>(std::bit_width(bins_ - 1));
  unsigned shift = 0;
  do {
    const auto count = programs_.kernel(Stage::count), scan = programs_.kernel(Stage::scan),
               scatter = programs_.kernel(Stage::scatter);
    runtime::Arguments(count.get())
        .value(points)
        .value(of_chunk)
        .value(cl_uint{shift})
        .value(keys_[0].get())
        .value(counts.get());
    launch(Stage::count, count.get(), chunks);
    runtime::Arguments(scan.get()).value(static_cast<cl_uint>(entries)).value(counts.get());
    launch(Stage::scan, scan.get(), 1);
    runtime::Arguments(scatter.get())
        .value(points)
        .value(of_chunk)
        .value(cl_uint{shift})
        .value(cl_uint{shift == 0})
        .value(keys_[0].get())
        .value(orders_[0].get())
        .value(counts.get())
        .value(keys_[1].get())
        .value(orders_[1].get());
    launch(Stage::scatter, scatter.get(), chunks);
    std::swap(keys_[0], keys_[1]);
    std::swap(orders_[0], orders_[1]);
    shift += nufft::IMAGO_NUFFT_DIGIT_BITS;
  } while (shift < bits);
}

SortedPoints Sorter::sort(std::span<const CoordinateArray> axes, std::size_t count) {
  axes_ = axes;
  count_ = count;
  bins_ = setup_.design.bins();
  SortedPoints sorted;
  sorted.count = count;
  grid_ = setup_.design.grid;
  grid_.points = static_cast<cl_uint>(count);
  // The tiles of many points' parts would need too much memory.
  constexpr std::size_t kMostParts = 4096;
  grid_.part = std::max(grid_.part, static_cast<cl_uint>(count / kMostParts));
  sorted.grid = grid_;
  if (count == 0) return sorted;
  const std::size_t real = base::bytes_of(setup_.transform.precision), axes_count = axes.size();
  const std::size_t most_parts = std::min(bins_, count) + count / grid_.part;
  for (auto* const pair : {&keys_, &orders_}) {
    for (auto& buffer : *pair) buffer = words(count);
  }
  sorted.cells = words(axes_count * count);
  sorted.offsets = runtime::allocate(setup_.target.context, axes_count * count * real);
  sorted.starts = words(bins_ + 1);
  sorted.first_part = words(bins_ + 1);
  sorted.first_slot = words(bins_);
  sorted.bin_of_part = words(most_parts);
  sorted.bytes = count * (kWord + axes_count * (kWord + real)) +
                 (3 * bins_ + 2 + most_parts) * kWord;

  std::array<std::uint32_t, nufft::IMAGO_NUFFT_REPORT> report = {nufft::IMAGO_NUFFT_NO_POINT};
  const auto report_memory = runtime::allocate_copy(
      setup_.target.context, sizeof report, report.data());
  const auto keys = programs_.kernel(Stage::keys), place = programs_.kernel(Stage::place),
             parts = programs_.kernel(Stage::parts);
  coordinates(keys.get()).value(keys_[0].get()).value(report_memory.get());
  launch(Stage::keys, keys.get(), groups_of_points(Stage::keys));
  order_by_key();
  coordinates(place.get())
      .value(keys_[0].get())
      .value(orders_[0].get())
      .value(static_cast<cl_uint>(bins_))
      .value(sorted.cells.get())
      .value(sorted.offsets.get())
      .value(sorted.starts.get());
  launch(Stage::place, place.get(), groups_of_points(Stage::place));
  runtime::Arguments(parts.get())
      .value(grid_)
      .value(static_cast<cl_uint>(bins_))
      .value(sorted.starts.get())
      .value(sorted.first_part.get())
      .value(sorted.first_slot.get())
      .value(sorted.bin_of_part.get())
      .value(report_memory.get());
  launch(Stage::parts, parts.get(), 1);
  sequence_.read(report_memory.get(), 0, sizeof report, report.data());
  if (report[nufft::IMAGO_NUFFT_BAD_POINT] != nufft::IMAGO_NUFFT_NO_POINT)
    base::invalid("the coordinates of point " +
                      std::to_string(report[nufft::IMAGO_NUFFT_BAD_POINT]),
                  "not finite", "give finite numbers");
  sorted.order = std::move(orders_[0]);
  sorted.parts = report[nufft::IMAGO_NUFFT_PARTS];
  sorted.slots = report[nufft::IMAGO_NUFFT_SLOTS];
  return sorted;
}

}  // namespace

SortedPoints sort_points(const Setup& setup, const Programs& programs, runtime::Sequence& sequence,
                         std::span<const CoordinateArray> axes, std::size_t count) {
  return Sorter(setup, programs, sequence).sort(axes, count);
}

void allocate_tiles(const Setup& setup, SortedPoints& points, std::size_t members) {
  if (points.slots == 0) return;
  const std::size_t bytes = points.slots * members * points.grid.tile_cells * 2 *
                            base::bytes_of(setup.transform.precision);
  points.tiles = runtime::allocate(setup.target.context, bytes);
  points.bytes += bytes;
}

}  // namespace imago::nufft_device
