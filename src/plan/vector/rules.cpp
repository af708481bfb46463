// This file holds the rules of the vector mapping.
#include <algorithm>
#include <cmath>

#include "lines/line_context.hpp"
#include "plan/mapping_rules.hpp"
#include "plan/vector/choices.hpp"
#include "plan/vector/defaults.hpp"
#include "plan/vector/layout.hpp"
#include "plan/vector/legality.hpp"

namespace imago::plan {
namespace {

/// Returns false for a few long transforms: one work-item per transform would leave a CPU's cores
/// idle.
bool suits_one_item(const lines::Request& request, const device::Facts& facts) {
  const bool few = request.batch * request.lines() < facts.compute_units;
  return !few || request.length < lines::kLongOnCpu;
}

/// Returns the points of the first of three or more kernels. A CPU's prefetchers follow 32 pages
/// (model/coalescing.cpp), so 32 points are best; they also put the second kernel's results on few
/// pages. The result is larger if the rest would be too long.
std::vector<double> first_parts(double n, unsigned parts, double most) {
  if (parts < 3) return {};
  return {std::max(32.0, n / std::pow(most / 2, parts - 1))};
}

}  // namespace

const MappingRules kVectorRules{
    .mapping = kernel::Vectors::mapping,
    .complete = complete_vector,
    .check = check_vector,
    .variations = vary_vector,
    .choices = choices_of_vector,
    .suits_one_kernel = suits_one_item,
    // A CPU caches the address translations of about 2048 pages, and longer columns have one page
    // per point.
    .longest_part = [](std::uint64_t n) { return std::min<std::uint64_t>(n / 4, 2048); },
    .first_parts = first_parts,
    .twice_as_long_in_pairs = false,
    .least_multiple = 4,
    .unpadded_suits = false,
    .has_work_groups = false,
    .lay_out = lay_out_vector,
    .tiles = tiles_of_vector,
    .describe = describe_vector,
};

}  // namespace imago::plan
