// This file makes the launches that spread points over grids and interpolate grids at points.
#include "nufft_device/spreading.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/integers.hpp"
#include "nufft/bins.hpp"
#include "runtime/arguments.hpp"

namespace imago::nufft_device {
namespace {

/// The groups of a launch that spreads points: those of the parts, or of the bins of a parity.
struct Groups {
  std::size_t parts = 0;  ///< 0: the bins
  unsigned parity = 0;
  std::size_t count = 1;  ///< for a member of the batch
};

runtime::KernelLaunch spread_by(const nufft::Design& design, const Programs& programs,
                                const SortedPoints& points, const PointsAndGrids& exchange,
                                const Groups& groups) {
  auto kernel = programs.kernel(Stage::spread);
  nufft::NufftGrid grid = points.grid;
  grid.planes = design.grid.planes;
  const std::size_t tiles = design.groups.compensated ? 2 : 1;
  runtime::Arguments arguments(kernel.get());
  arguments.value(grid)
      .value(static_cast<cl_uint>(groups.parts))
      .value(cl_uint{groups.parity})
      .value(static_cast<cl_uint>(groups.count))
      .value(static_cast<cl_uint>(grid.bins_of_member > 0 ? 0 : points.slots))
      .value(points.starts.get())
      .value(points.first_part.get())
      .value(points.first_slot.get())
      .value(points.bin_of_part.get())
      .value(points.order.get())
      .value(points.cells.get())
      .value(points.offsets.get())
      .value(exchange.numbers)
      .value(cl_ulong{exchange.offset})
      .value(points.tiles.get() ? points.tiles.get() : exchange.grid)
      .value(exchange.grid)
      .value(cl_ulong{exchange.grid_offset})
      .value(cl_uint{exchange.clears && groups.parts == 0})
      .local(tiles *
             design.tile_bytes(programs.complex_bytes(), design.groups.teams * grid.planes));
  if (programs.is_generic()) {
    const std::size_t batch = design.groups.batch, axes = programs.constants().axes;
    arguments.value(programs.constants())
        .value(programs.polynomials())
        .local(axes * batch * grid.width * programs.complex_bytes() / 2)
        .local(batch * programs.complex_bytes())
        .local(axes * batch * sizeof(cl_uint));
  }
  const bool all_members =
      groups.parts > 0 && grid.bins_of_member > 0;  // the parts are those of all
  return programs.launch(Stage::spread, std::move(kernel),
                         groups.count * (all_members ? 1 : exchange.members));
}

runtime::KernelLaunch add_parts(const Programs& programs, const SortedPoints& points,
                                std::size_t members) {
  auto kernel = programs.kernel(Stage::add_parts);
  runtime::Arguments(kernel.get())
      .value(points.grid)
      .value(static_cast<cl_uint>(points.parts))
      .value(static_cast<cl_uint>(points.slots))
      .value(points.first_part.get())
      .value(points.first_slot.get())
      .value(points.bin_of_part.get())
      .value(points.tiles.get());
  return programs.launch(Stage::add_parts, std::move(kernel),
                         points.parts * (points.grid.bins_of_member > 0 ? 1 : members));
}

/// Returns the parities of bins, whose bit 0 is that along x: 0 along axes with one bin.
std::vector<unsigned> parities_of(const nufft::NufftGrid& grid) {
  unsigned divided = 0;  // axes with several bins
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (grid.bins[axis] > 1) divided |= 1U << axis;
  }
  std::vector<unsigned> parities;
  for (unsigned parity = 0; parity < 8; ++parity) {
    if ((parity & ~divided) == 0) parities.push_back(parity);
  }
  return parities;
}

/// Returns the bins of a parity.
std::size_t bins_of_parity(const nufft::NufftGrid& grid) {
  std::size_t bins = 1;
  for (unsigned axis = 0; axis < 3; ++axis) bins *= std::max(1U, grid.bins[axis] / 2);
  return bins;
}

}  // namespace

bool needs_compensation(const Setup& setup, const SortedPoints& points) {
  return static_cast<double>(points.in_one_place) > setup.design.most_in_one_place;
}

std::vector<SpreadLaunch> spread_launches(const nufft::Design& design, std::size_t slots,
                                          std::size_t members, std::size_t members_of_tiles) {
  std::vector<SpreadLaunch> launches;
  const bool own = design.grid.bins_of_member > 0;
  const std::size_t most = slots > 0 && !own ? members_of_tiles : members;
  for (std::size_t first = 0; first < members; first += most) {
    const std::size_t some = std::min(most, members - first);
    if (slots > 0) {
      launches.push_back({Stage::spread, first, some, true});
      launches.push_back({Stage::add_parts, first, some, true});
    }
    for (const unsigned parity : parities_of(design.grid))
      launches.push_back({Stage::spread, first, some, false, parity});
  }
  return launches;
}

std::vector<runtime::KernelLaunch> spread(const nufft::Design& design, const Programs& programs,
                                          const SortedPoints& points,
                                          const PointsAndGrids& exchange) {
  std::vector<runtime::KernelLaunch> launches;
  if (points.count == 0) return launches;
  for (const SpreadLaunch& launch :
       spread_launches(design, points.slots, exchange.members, points.members_of_tiles)) {
    PointsAndGrids some = exchange;
    some.members = launch.members;
    some.offset += launch.first * points.count;
    some.grid_offset += launch.first * design.cells();
    if (launch.stage == Stage::add_parts)
      launches.push_back(add_parts(programs, points, some.members));
    else if (launch.of_parts)
      launches.push_back(
          spread_by(design, programs, points, some, {points.parts, 0, points.parts}));
    else
      launches.push_back(spread_by(design, programs, points, some,
                                   {0, launch.parity, bins_of_parity(points.grid)}));
  }
  return launches;
}

std::vector<runtime::KernelLaunch> interpolate(const nufft::Design& design,
                                               const Programs& programs, const SortedPoints& points,
                                               const PointsAndGrids& exchange) {
  std::vector<runtime::KernelLaunch> launches;
  if (points.count == 0) return launches;
  auto kernel = programs.kernel(Stage::interpolate);
  const std::size_t complex_bytes = programs.complex_bytes();
  runtime::Arguments arguments(kernel.get());
  arguments.value(points.grid)
      .value(static_cast<cl_uint>(points.parts))
      .value(points.starts.get())
      .value(points.first_part.get())
      .value(points.bin_of_part.get())
      .value(points.order.get())
      .value(points.cells.get())
      .value(points.offsets.get())
      .value(exchange.grid)
      .value(exchange.numbers)
      .value(cl_ulong{exchange.offset})
      .local(design.groups.tiled ? design.tile_bytes(complex_bytes, points.grid.tile[2])
                                 : complex_bytes);
  if (programs.is_generic()) arguments.value(programs.constants()).value(programs.polynomials());
  const std::size_t members = points.grid.bins_of_member > 0 ? 1 : exchange.members;
  launches.push_back(
      programs.launch(Stage::interpolate, std::move(kernel), points.parts * members));
  return launches;
}

}  // namespace imago::nufft_device
