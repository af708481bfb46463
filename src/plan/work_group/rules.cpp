// This file holds the rules of the work-group mapping.
#include <algorithm>
#include <cmath>

#include "lines/largest.hpp"
#include "plan/mapping_rules.hpp"
#include "plan/work_group/choices.hpp"
#include "plan/work_group/defaults.hpp"
#include "plan/work_group/layout.hpp"
#include "plan/work_group/legality.hpp"

namespace imago::plan {
namespace {

bool suits_one_group(const lines::Request& request, const device::Facts& facts) {
  return request.adjacent() ||
         request.length <=
             lines::largest_single(kernel::WorkGroup::mapping, request.precision, facts) ||
         fits_registers(request, facts);
}

/// Returns 512 points (radices 32 and 16) for the first two of three kernels, which is fastest on a
/// GPU if n is large enough.
std::vector<double> first_parts(double n, unsigned parts, double most) {
  if (parts == 3 && std::cbrt(n) > 300 && most >= 512) return {512, 512};
  return {};
}

}  // namespace

const MappingRules kWorkGroupRules{
    .mapping = kernel::WorkGroup::mapping,
    .complete = complete_work_group,
    .check = check_work_group,
    .variations = vary_work_group,
    .choices = choices_of_work_group,
    .suits_one_kernel = suits_one_group,
    // A tile of columns must fit into the memory of a single transform.
    .longest_part = [](std::uint64_t n) { return std::max<std::uint64_t>(n / 8, 64); },
    .first_parts = first_parts,
    .twice_as_long_in_pairs = true,
    // Convolutions of p - 1 points were never slower than Bluestein's of twice as many (1009 and
    // 8191 on an H200).
    .least_multiple = 1,
    .unpadded_suits = true,
    .has_work_groups = true,
    .lay_out = lay_out_work_group,
    .tiles = tiles_of_work_group,
    .describe = describe_work_group,
};

}  // namespace imago::plan
