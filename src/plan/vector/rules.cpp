// This file is the vector mapping's row of rules.
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

/// One work-item per transform leaves a CPU's cores idle when there are few long ones.
bool suits_one_item(const lines::Request& request, const device::Facts& facts) {
  const bool few = request.batch * request.lines() < facts.compute_units;
  return !few || request.length < lines::kLongOnCpu;
}

/// A CPU's prefetchers follow 32 pages (model/coalescing.cpp): the first of three or more kernels
/// takes so many points, which also puts the second one's results on few pages, unless the rest
/// would be too long.
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
    // A CPU has the translations of some 2048 pages at hand, and longer columns have a page per
    // point.
    .longest_part = [](std::uint64_t n) { return std::min<std::uint64_t>(n / 4, 2048); },
    .first_parts = first_parts,
    .twice_as_long_in_pairs = false,
    .unpadded_suits = false,
    .has_work_groups = false,
    .lay_out = lay_out_vector,
    .tiles = tiles_of_vector,
    .describe = describe_vector,
};

}  // namespace imago::plan
