// This file finds radices for the work-items of the work-group mapping.
#include "plan/work_group/radices.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "base/integers.hpp"
#include "kernel/radices.hpp"

namespace imago::plan {

unsigned points_without_spills(const KernelContext& context, const device::Facts& facts) {
  constexpr double kOthers = 14, kNumbers = 3;
  const double number = !context.wide() ? 1 : context.in_pairs(facts) ? 2.2 : 2;
  const double most = facts.compute_unit.item_registers / facts.compute_unit.register_factor;
  return static_cast<unsigned>(std::max(2.0, (most - kOthers) / (kNumbers * number)));
}

std::vector<unsigned> even_radices(std::uint64_t length, unsigned points, unsigned widest) {
  const auto bits = static_cast<unsigned>(std::countr_zero(length));
  const auto most = static_cast<unsigned>(std::countr_zero(points));
  auto passes = static_cast<unsigned>(base::ceil_divide(bits, most));
  if (bits % most == 1 && passes > 3 && 2 * points <= widest) {
    std::vector<unsigned> radices(--passes, points);
    radices[passes / 2] *= 2;
    return radices;
  }
  if (points == 32 && 3 * most - bits == 1) return {points, points / 2, points};
  std::vector<unsigned> radices;
  for (unsigned i = 0; i < passes; ++i)
    radices.push_back(1u << (bits / passes + (i < bits % passes ? 1 : 0)));
  return radices;
}

std::vector<unsigned> large_radices(std::uint64_t length, unsigned points) {
  std::vector<unsigned> radices;
  for (; length >= points; length /= points) radices.push_back(points);
  if (length > 1) radices.insert(radices.begin(), static_cast<unsigned>(length));
  return radices;
}

double pass_waste(std::uint64_t length, unsigned radix, std::uint64_t items) {
  const double rounds = static_cast<double>(base::ceil_divide(length / radix, items));
  return rounds * static_cast<double>(items) * radix / static_cast<double>(length);
}

std::vector<unsigned> busy_radices(std::uint64_t length, unsigned items,
                                   const KernelContext& context, const device::Facts& facts) {
  constexpr double kPass = 0.2;  // a pass more costs little where memory is the limit
  const unsigned most = points_without_spills(context, facts);
  const auto cost = [&](std::uint64_t, unsigned radix) {
    const std::uint64_t rounds = base::ceil_divide(length / radix, items);
    if (rounds * radix > most) return kTooManyPoints;
    return pass_waste(length, radix, items) * (1 + radix / 64.0) + kPass;
  };
  auto found = kernel::cheapest(length, kernel::all_radices(), cost);
  std::sort(found.radices.begin(), found.radices.end(), std::greater<>());
  return found.cost < kTooManyPoints ? std::move(found.radices) : std::vector<unsigned>{};
}

}  // namespace imago::plan
