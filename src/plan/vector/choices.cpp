// This file lists the possible parameters of a kernel in the vector mapping.
#include "plan/vector/choices.hpp"

#include "kernel/radices.hpp"

namespace imago::plan {
std::vector<KernelParameters> vary_vector(const KernelParameters& kernel,
                                          const KernelContext& context, const device::Facts&) {
  std::vector<KernelParameters> found;
  for (const unsigned lanes : {kernel.lanes / 2, kernel.lanes * 2}) {
    // Other lane counts need other radices.
    if (lanes > 1) found.push_back({.length = kernel.length, .lanes = lanes, .axis = kernel.axis});
  }
  if (!context.only) return found;
  const bool points = kernel.axis == LaneAxis::points;
  // As in complete_vector(): no columns with large primes.
  if (kernel::has_radices(kernel.length))
    found.push_back(
        {.length = kernel.length, .axis = points ? LaneAxis::columns : LaneAxis::points});
  for (unsigned tiles = 1; tiles <= 2 * kernel.columns; tiles *= 2) {
    KernelParameters other = kernel;
    other.columns = tiles;
    found.push_back(other);
  }
  return found;
}

std::vector<KernelParameters> choices_of_vector(const KernelParameters& radices,
                                                const KernelContext& context,
                                                const device::Facts& facts) {
  std::vector<KernelParameters> found;
  KernelParameters kernel = radices;
  for (const auto axis : {LaneAxis::points, LaneAxis::columns}) {
    if (!context.only && axis == LaneAxis::points) continue;
    for (const unsigned lanes : {4u, 8u, 16u}) {
      for (const unsigned columns : {1u, 2u, 4u, 8u}) {
        if (!context.only && columns > 1) continue;
        for (const auto twiddles : {Twiddles::table, Twiddles::product}) {
          if (radices.radices.size() == 1 && twiddles == Twiddles::product) continue;
          for (const auto four_step : context.four_steps(facts, kernel::Vectors::mapping)) {
            kernel.axis = axis;
            kernel.lanes = lanes;
            kernel.columns = columns;
            kernel.twiddles = twiddles;
            kernel.four_step = four_step;
            found.push_back(kernel);
          }
        }
      }
    }
  }
  return found;
}

}  // namespace imago::plan
