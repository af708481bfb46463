// This file checks the bins of nonuniform transforms, without a device.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/precision.hpp"
#include "nufft/bins.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;

namespace {

/// Returns the first cell of a bin, as the kernels compute it. Bins repeat after a period.
std::uint64_t first_of_bin(const nufft::NufftGrid& grid, std::size_t axis, std::uint64_t bin) {
  const std::uint64_t scale = grid.bins_of_cell[axis], of_period = bin % grid.bins[axis];
  return bin / grid.bins[axis] * grid.cells[axis] + ((of_period << 32) + scale - 1) / scale;
}

/// Returns true if tiles of bins that have one other between them share no cell along an axis, so
/// that their work-groups may add to the grid at the same time, and if tiles cover their bins.
bool are_apart(const nufft::NufftGrid& grid, std::size_t axis, std::size_t width) {
  const std::uint64_t bins = grid.bins[axis];
  for (std::uint64_t bin = 0; bin < bins; ++bin) {
    const std::uint64_t first = first_of_bin(grid, axis, bin);
    if (first + grid.tile[axis] < first_of_bin(grid, axis, bin + 1) + width - 1) return false;
    if (bins > 1 && first + grid.tile[axis] > first_of_bin(grid, axis, bin + 2)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("tiles of bins of equal parity are apart", "[nufft]") {
  device::Facts facts;
  facts.vector_f64 = 4;
  facts.f64.native = true;
  facts.memory.largest_buffer = std::size_t{1} << 40;
  for (const std::size_t local : {std::size_t{48} << 10, std::size_t{512} << 10}) {
    facts.local_bytes = local;
    for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
      for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
        for (std::size_t n = 4; n < 120; ++n) {
          NufftTransform transform{
              .modes = {n, n, n}, .tolerance = tolerance, .precision = Precision::f64};
          const nufft::Design design = nufft::design(transform, facts, mapping);
          for (std::size_t axis = 0; axis < 3; ++axis) {
            INFO(n << " modes, axis " << axis << ", width " << design.window.width() << ", "
                   << design.grid.bins[axis] << " bins of " << design.grid.cells[axis] << " cells");
            REQUIRE(are_apart(design.grid, axis, design.window.width()));
          }
        }
      }
    }
  }
}

// NVIDIA's driver refuses to launch kernels that need more (CL_OUT_OF_RESOURCES).
TEST_CASE("tiles fit 48 KiB of local memory, also those of compensated sums", "[nufft]") {
  device::Facts facts = test::large_gpu();
  facts.f64.native = true;
  facts.local_bytes = std::size_t{227} << 10;
  using Modes = std::vector<std::size_t>;
  for (const auto promise : {NufftPromise::norm, NufftPromise::each_value}) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      for (const double tolerance : {1e-1, 1e-3, 1e-5, 1e-9, 1e-12}) {
        for (const Modes& modes : {Modes{1},
                                   {1000},
                                   {1, 1},
                                   {2, 7},
                                   {200, 200},
                                   {1, 1, 1},
                                   {2, 3, 4},
                                   {1, 16, 2},
                                   {22, 22},
                                   {21, 23, 25},
                                   {64, 64, 64}}) {
          NufftTransform transform{.modes = modes, .precision = precision, .promise = promise};
          transform.tolerance = std::max(tolerance, nufft::least_tolerance(transform));
          const auto plain = nufft::design(transform, facts, Mapping::work_group);
          const std::size_t real = base::bytes_of(precision), axes = modes.size();
          const bool fits = plain.groups.compensated || !std::isinf(plain.most_in_one_place);
          transform.batch = 1000;
          transform.points_per_member = true;
          const auto members = nufft::design(transform, facts, Mapping::work_group);
          CHECK(members.tile_bytes(2 * real, members.groups.teams * members.grid.planes) <=
                std::size_t{48} << 10);
          CHECK(members.grid.bins_of_member == members.bins());
          for (const bool twice : {false, true}) {
            const auto design = twice && fits ? nufft::compensated(plain, transform, facts) : plain;
            // The numbers that work-items have prepared of each point.
            const std::size_t staged =
                axes * design.window.width() * real + 2 * real + axes * sizeof(std::uint32_t);
            const std::size_t bytes =
                (design.groups.compensated ? 2 : 1) *
                    design.tile_bytes(2 * real, design.groups.teams * design.grid.planes) +
                design.groups.batch * staged;
            INFO(axes << " axes of " << modes[0] << ", tolerance " << transform.tolerance
                      << ", width " << design.window.width() << ", compensated "
                      << design.groups.compensated);
            CHECK(bytes <= std::size_t{48} << 10);
          }
        }
      }
    }
  }
}

TEST_CASE("a small grid of many members with points of their own is one bin", "[nufft]") {
  NufftTransform transform{.modes = {32, 32}, .tolerance = 1e-3, .batch = 1000};
  transform.points_per_member = true;
  device::Facts cpu;
  cpu.vector_f32 = 8;
  cpu.local_bytes = std::size_t{512} << 10;
  cpu.compute_units = 16;
  cpu.memory.largest_buffer = std::size_t{1} << 40;
  for (const auto& [facts, mapping] :
       {std::pair(cpu, Mapping::vector), {test::large_gpu(), Mapping::work_group}}) {
    transform.modes = {32, 32};
    transform.batch = 1000;
    transform.points = 1000 * 10;
    const auto bins = [&, &of = facts, by = mapping] {
      return nufft::design(transform, of, by).bins();
    };
    CHECK(bins() == 1);
    transform.batch = 3;  // fewer groups than cores
    CHECK(bins() > 1);
    transform.batch = 1000;
    transform.modes = {300, 300};
    CHECK(bins() > 1);
  }
  transform.modes = {32, 32};
  transform.points = 1000 * 10;
  const auto few = nufft::design(transform, test::large_gpu(), Mapping::work_group);
  transform.points = 1000 * 1000;
  const auto many = nufft::design(transform, test::large_gpu(), Mapping::work_group);
  CHECK(few.groups.interpolate_items < many.groups.interpolate_items);
}
