// This file lays out the steps of the vector mapping.
#include "plan/vector/layout.hpp"

#include <algorithm>
#include <bit>

#include "base/integers.hpp"
#include "base/text.hpp"
#include "plan/vector/abreast.hpp"
#include "plan/vector/joins.hpp"

namespace imago::plan {
namespace {

/// Chooses the lanes of a pass. With `once`, no two vectors have a point in common.
void choose_lanes(kernel::Pass& pass, const KernelParameters& kernel, bool once) {
  const bool columns = kernel.axis == LaneAxis::columns;
  pass.lane = columns                            ? kernel::Lane::column
              : pass.left == 1 && pass.done > 1  ? kernel::Lane::k
              : pass.left == 1 && pass.outer > 1 ? kernel::Lane::outer
                                                 : kernel::Lane::q;
  const std::uint64_t extent = pass.lane == kernel::Lane::k       ? pass.done
                               : pass.lane == kernel::Lane::outer ? pass.outer
                                                                  : pass.left;
  while (!columns && pass.width * 2 <= std::min<std::uint64_t>(kernel.lanes, extent) &&
         !(once && extent % (pass.width * 2) != 0))
    pass.width *= 2;
}

/// Unrolls the loops if the tile fits into half of AVX-512's registers and the kernel contains no
/// user code.
void unroll(kernel::Step& step) {
  constexpr std::uint64_t kMostVectors = 16;
  const bool bare = step.bare() && step.columns.empty() && !step.convolution.is_any() &&
                    !step.lanes_are_columns();
  step.vectors().unrolled =
      bare && std::all_of(step.passes.begin(), step.passes.end(), [](const kernel::Pass& pass) {
        return !pass.joined && 2 * pass.butterflies() * pass.radix <= kMostVectors;
      });
}

/// Returns the tiles of a work-item: the chosen ones, or fewer if a CPU's cores would be idle and
/// the tiles are long. Parameters that were tuned on few cores are also used on many. Powers of two
/// keep the number of different kernels small.
unsigned tiles_per_item(unsigned chosen, const kernel::Step& step, std::uint64_t batch,
                        const device::Facts& facts) {
  constexpr std::uint64_t kFewPoints = 2048;
  if (facts.type != device::Type::cpu) return chosen;
  const std::uint64_t share = tiles_of_vector(step, batch) / std::max(1u, facts.compute_units),
                      short_ones = kFewPoints / (step.length * step.tile);
  const std::uint64_t most = std::bit_floor(std::max({std::uint64_t{1}, share, short_ones}));
  return static_cast<unsigned>(std::min<std::uint64_t>(chosen, most));
}

}  // namespace

void lay_out_vector(kernel::Step& step, const lines::Request& request, const Parameters& parameters,
                    std::size_t kernel, const device::Facts& facts) {
  const KernelParameters& chosen = parameters.kernels[kernel];
  step.lanes = kernel::Vectors{};
  for (kernel::Pass& pass : step.passes) choose_lanes(pass, chosen, step.stores_once());
  step.tile = chosen.axis == LaneAxis::columns ? chosen.lanes : 1;
  take_abreast(step, chosen.lanes);
  join_passes(step);
  unroll(step);
  step.vectors().repeat = tiles_per_item(chosen.columns, step, request.batch, facts);
  const bool in_lanes = step.columns.empty() && step.lanes_are_columns() &&
                        !step.convolution.is_any() && request.bare();
  step.in.packed = in_lanes && step.in.stride == 1 && request.in.distance == request.length;
  step.out.packed = in_lanes && step.out.stride == 1 && request.out.distance == request.length;
}

/// Returns the number of tiles, which do not cross the end of the fastest column dimension.
std::uint64_t tiles_of_vector(const kernel::Step& step, std::uint64_t batch) {
  if (step.columns.empty()) return base::ceil_divide(batch, step.tile);
  const std::uint64_t fastest = step.columns[0].extent;
  return base::ceil_divide(fastest, step.tile) * (step.column_count() / fastest) * batch;
}

std::string describe_vector(const kernel::Step& step) {
  const bool columns = step.lanes_are_columns();
  std::string text = columns ? "columns" : "points";
  text += " in vectors of " +
          std::to_string(columns ? step.tile : step.passes.front().width * step.tile);
  if (step.vectors().abreast > 1)
    text += " for " + base::counted(step.vectors().abreast, "transform");
  return text + ", " + base::counted(step.vectors().repeat, "tile") + " per work-item";
}

}  // namespace imago::plan
