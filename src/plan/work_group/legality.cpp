// This file checks which complete parameters of a kernel are legal in the work-group mapping.
#include "plan/work_group/legality.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "lines/largest.hpp"
#include "plan/legality.hpp"

namespace imago::plan {
namespace {

constexpr std::size_t kMostInPlace = 2;  // axes, as kernel::in_place() has them

}  // namespace

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

bool takes_in_place(const KernelContext& context) {
  return context.plain() && !context.convolves && !context.mirrored() && !context.reorders() &&
         (!context.only || context.request->axes.size() <= kMostInPlace);
}

unsigned widest_in_place(unsigned items, const KernelContext& context, const device::Facts& facts) {
  // Measured on an H200, where 768 work-items have 80 registers for radix 32 of f32. No radix of
  // f64 above 25 was tried.
  constexpr unsigned kOthers = 16, kMostWide = 25;
  const unsigned most =
      std::min(facts.compute_unit.item_registers, facts.compute_unit.registers / items);
  if (most <= kOthers) return 0;
  return context.wide() ? std::min(kMostWide, (most - kOthers) / 4) : (most - kOthers) / 2;
}

std::uint64_t points_held(const KernelParameters& kernel) {
  std::uint64_t most = 0;
  if (kernel.exchange == Exchange::in_place && !kernel.radices.empty())
    return *std::max_element(kernel.radices.begin(), kernel.radices.end());
  for (const unsigned radix : kernel.radices)
    most = std::max(most, base::ceil_divide(kernel.length / radix, kernel.items) * radix);
  return most;
}

std::uint64_t most_points_held(const KernelParameters& kernel) {
  std::uint64_t most = lines::kMostPointsPerItem;
  for (const unsigned radix : kernel.radices) most = std::max<std::uint64_t>(most, radix);
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
  if (kernel.exchange == Exchange::in_place && !takes_in_place(context))
    base::invalid(field_of(i, "exchange"), "in_place",
                  "choose another: only kernels of complex points along one or two axes, without "
                  "a convolution or a filter, have points in place");
  const std::uint64_t bytes = exchanged_bytes(kernel, context);
  if (bytes > facts.local_bytes) {
    base::invalid(field_of(i, "columns"), kernel.columns,
                  "use fewer: the kernel needs " + std::to_string(bytes) +
                      " bytes of local memory, and the device has " +
                      std::to_string(facts.local_bytes));
  }
  const std::uint64_t held = points_held(kernel), most = most_points_held(kernel);
  if (held > most)
    base::invalid(field_of(i, "items"), kernel.items,
                  "use more: a work-item would hold " + std::to_string(held) +
                      " points, and it can hold " + std::to_string(most));
}

}  // namespace imago::plan
