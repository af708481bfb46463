// This file holds the defaults of the work-group mapping, from measurements on an NVIDIA H200.
#include <algorithm>
#include <bit>

#include "base/integers.hpp"
#include "plan/kernel_defaults.hpp"
#include "plan/radices.hpp"

namespace imago::plan {
namespace {

std::size_t real_bytes(Precision precision) { return precision == Precision::f64 ? 8 : 4; }

/// Points that a work-item holds, for lengths that are powers of two.
unsigned points_per_item(std::uint64_t length, const KernelRole& role) {
  const bool wide = role.precision == Precision::f64;
  if (length <= 4) return static_cast<unsigned>(length);
  if (length <= 16) return 4;
  if (length <= 64) return 8;
  if (wide) return length <= 4096 ? 8 : 16;
  if (role.alone) return length == 512 ? 8 : length <= 4096 ? 16 : 32;
  return length == 512 || length == 1024 ? 32 : 16;
}

/// Radices of a power of two whose work-items hold `points`: as even as possible, the larger first.
std::vector<unsigned> even_radices(std::uint64_t length, unsigned points) {
  const auto bits = static_cast<unsigned>(std::countr_zero(length));
  const auto most = static_cast<unsigned>(std::countr_zero(points));
  const auto passes = static_cast<unsigned>(base::ceil_divide(bits, most));
  std::vector<unsigned> radices;
  for (unsigned i = 0; i < passes; ++i) radices.push_back(1u << (bits / passes + (i < bits % passes ? 1 : 0)));
  return radices;
}

/// Work done by all items over work needed, and a share for each further exchange.
double pass_cost(std::uint64_t length, unsigned radix, std::uint64_t items) {
  const std::uint64_t butterflies = length / radix;
  const double rounds = static_cast<double>(base::ceil_divide(butterflies, items));
  const double waste = rounds * static_cast<double>(items) / static_cast<double>(butterflies);
  return waste * (1 + radix / 64.0) + 0.5;
}

/// Mixed lengths: the number of items and the radices with the least waste.
void choose_mixed(KernelParameters& kernel, unsigned most_points, const device::Facts& facts) {
  double best = 0;
  for (const unsigned divisor : all_radices()) {
    if (kernel.length % divisor != 0) continue;
    const std::uint64_t items = kernel.length / divisor;
    if (items > facts.max_work_group || (kernel.items != 0 && items != kernel.items)) continue;
    const auto cost = [&](std::uint64_t, unsigned radix) {
      const std::uint64_t held = base::ceil_divide(kernel.length / radix, items) * radix;
      return held > most_points ? 1e6 : pass_cost(kernel.length, radix, items);
    };
    std::vector<unsigned> allowed = all_radices();
    std::erase_if(allowed, [&](unsigned r) { return r > 16; });
    const Factorisation found = cheapest(kernel.length, allowed, cost);
    if (found.radices.empty() || found.cost >= 1e6) continue;
    if (best == 0 || found.cost < best) {
      best = found.cost;
      kernel.radices = found.radices;
      kernel.items = static_cast<unsigned>(items);
    }
  }
}

unsigned default_columns(const KernelParameters& kernel, const KernelRole& role, const device::Facts& facts) {
  const unsigned most = std::max(1u, facts.max_work_group / kernel.items);
  if (role.alone) return std::clamp(256u / kernel.items, 1u, most);
  // A segment of 128 bytes per row, fewer only where the tile would not fit.
  const std::uint64_t bytes = 2 * real_bytes(role.precision);
  std::uint64_t columns = std::max<std::uint64_t>(1, 128 / bytes);
  if (kernel.radices.size() == 1) columns = 256;
  while (columns > 1 && (columns > most || columns * kernel.length * bytes / 2 > facts.local_bytes)) columns /= 2;
  return static_cast<unsigned>(columns);
}

}  // namespace

KernelParameters complete_work_group(KernelParameters kernel, const KernelRole& role, const device::Facts& facts) {
  const unsigned most_points = role.precision == Precision::f64 ? 16 : 32;
  if (kernel.radices.empty()) {
    if (kernel.length == 1) {
      kernel.radices = {1};
    } else if (base::is_power_of_two(kernel.length) && kernel.items == 0) {
      const unsigned points = points_per_item(kernel.length, role);
      kernel.radices = even_radices(kernel.length, points);
      kernel.items = static_cast<unsigned>(std::max<std::uint64_t>(1, kernel.length / points));
    } else {
      choose_mixed(kernel, most_points, facts);
    }
  }
  if (kernel.items == 0) {
    const unsigned widest = kernel.radices.empty() ? 1 : *std::max_element(kernel.radices.begin(), kernel.radices.end());
    kernel.items = static_cast<unsigned>(std::max<std::uint64_t>(1, kernel.length / widest));
  }
  if (kernel.columns == 0) kernel.columns = default_columns(kernel, role, facts);
  if (kernel.exchange == Exchange::automatic) {
    const std::size_t together = 2 * real_bytes(role.precision) * kernel.length * kernel.columns;
    const std::size_t limit = std::min<std::size_t>(facts.local_bytes, role.alone ? 72 << 10 : 40 << 10);
    kernel.exchange = together + together / 16 <= limit ? Exchange::together : Exchange::in_turn;
  }
  if (kernel.twiddles == Twiddles::automatic) kernel.twiddles = Twiddles::product;
  return kernel;
}

}  // namespace imago::plan
