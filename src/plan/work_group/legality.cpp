// This file checks which complete parameters of a kernel are legal in the work-group mapping.
#include "plan/work_group/legality.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "lines/largest.hpp"
#include "plan/legality.hpp"

namespace imago::plan {

std::uint64_t exchanged_bytes(const KernelParameters& kernel, const KernelContext& context) {
  const lines::Request& request = *context.request;
  // Elements that are joined at load but are not numbered are read twice from global memory.
  const kernel::EdgeFacts load = facts_of(request.in.edge, kernel::End::load, request.length);
  const bool twice = load.joins && !load.numbered;
  const bool fetches = context.mirror == kernel::Mirror::points && !twice;
  if (kernel.radices.size() < 2 && !fetches && !context.reorders()) return 0;
  const std::uint64_t parts = kernel::local_parts(kernel.exchange);
  const std::uint64_t real = base::bytes_of(base::arithmetic_of(request.precision));
  return kernel.length * kernel.columns * parts * real;
}

std::uint64_t points_held(const KernelParameters& kernel) {
  std::uint64_t most = 0;
  for (const unsigned radix : kernel.radices)
    most = std::max(most, base::ceil_divide(kernel.length / radix, kernel.items) * radix);
  return most;
}

void check_work_group(const KernelParameters& kernel, const KernelContext& context,
                      const device::Facts& facts) {
  const std::size_t i = context.index;
  if (kernel.items == 0) base::invalid(field_of(i, "items"), 0, "it must be at least 1");
  if (kernel.columns == 0) base::invalid(field_of(i, "columns"), 0, "it must be at least 1");
  if (context.mirrored() && kernel.columns % 2 != 0)
    base::invalid(field_of(i, "columns"), kernel.columns,
                  "it must be even: one of several kernels processes columns in pairs");
  const std::uint64_t size = std::uint64_t{kernel.items} * kernel.columns;
  if (size > facts.max_work_group) {
    base::invalid(
        field_of(i, "items * columns"), size,
        "it must be at most the device's work-group size, " + std::to_string(facts.max_work_group));
  }
  if (kernel.radices.size() == 1 && kernel.items != 1)
    base::invalid(field_of(i, "items"), kernel.items, "it must be 1 for a single pass");
  const std::uint64_t bytes = exchanged_bytes(kernel, context);
  if (bytes > facts.local_bytes) {
    base::invalid(field_of(i, "columns"), kernel.columns,
                  "use fewer: the kernel needs " + std::to_string(bytes) +
                      " bytes of local memory, and the device has " +
                      std::to_string(facts.local_bytes));
  }
  if (const std::uint64_t held = points_held(kernel); held > lines::kMostPointsPerItem)
    base::invalid(field_of(i, "items"), kernel.items,
                  "use more: a work-item would hold " + std::to_string(held) +
                      " points, and it can hold " + std::to_string(lines::kMostPointsPerItem));
}

}  // namespace imago::plan
