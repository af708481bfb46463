// This file checks the bins of nonuniform transforms, without a device.
#include <cstddef>
#include <cstdint>

#include "nufft/design.hpp"
#include "support/catch.hpp"

using namespace imago;

namespace {

/// Returns true if tiles of bins that have one other between them share no cell along an axis, so
/// that their work-groups may add to the grid at the same time.
bool are_apart(const nufft::NufftGrid& grid, std::size_t axis) {
  const std::uint64_t bins = grid.bins[axis], cells = grid.cells[axis];
  for (std::uint64_t bin = 0; bins > 1 && bin < bins; ++bin) {
    if (bin * cells / bins + grid.tile[axis] > (bin + 2) * cells / bins) return false;
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
            INFO(n << " modes, axis " << axis << ", width " << design.kernel.width() << ", "
                   << design.grid.bins[axis] << " bins of " << design.grid.cells[axis] << " cells");
            REQUIRE(are_apart(design.grid, axis));
          }
        }
      }
    }
  }
}
