// This file checks which complete parameters of a kernel are legal in the vector mapping.
#include "plan/vector/legality.hpp"

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "plan/legality.hpp"

namespace imago::plan {

void check_vector(const KernelParameters& kernel, const KernelContext& context,
                  const device::Facts& facts) {
  const std::size_t i = context.index;
  const lines::Request& request = *context.request;
  if (!base::is_power_of_two(kernel.lanes) || kernel.lanes > 16)
    base::invalid(field_of(i, "lanes"), kernel.lanes, "it must be 1, 2, 4, 8 or 16");
  if (kernel.columns == 0 || kernel.columns > 4096)
    base::invalid(field_of(i, "columns"), kernel.columns, "it must be from 1 to 4096");
  if (!context.only && kernel.axis != LaneAxis::columns)
    base::invalid(field_of(i, "axis"), "points", "it must be columns if there are several kernels");
  if (kernel.four_step == Twiddles::table && !context.in_ring(facts))
    base::invalid(field_of(i, "four_step"), "table",
                  "it must be product, polynomial or native for vectors");
  if (context.alone() && !request.plain() && kernel.axis == LaneAxis::columns)
    base::invalid(field_of(i, "axis"), "columns",
                  "it must be points for real data whose rows are not adjacent");
  if (request.axes.size() > 1 && kernel.axis == LaneAxis::columns)
    base::invalid(field_of(i, "axis"), "columns",
                  "it must be points if several axes are transformed");
  const std::uint64_t scratch =
      kernel.length * (kernel.axis == LaneAxis::columns ? kernel.lanes : 1);
  if (scratch > kMostPrivatePoints)
    base::invalid(field_of(i, "length"), kernel.length,
                  "it must be at most 2^17 points in private memory, lanes included");
}

}  // namespace imago::plan
