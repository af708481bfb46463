// This file predicts the time of a kernel's data through global memory.
#include "model/streaming.hpp"

#include <algorithm>
#include <cmath>

#include "base/precision.hpp"
#include "kernel/boxes.hpp"
#include "model/coalescing.hpp"
#include "model/operations.hpp"

namespace imago::model {
namespace {

// Assumed: a last-level cache has twice the bandwidth of its memory (docs/measured/cpu.txt: copies
// within the cache of that CPU ran at 50 GB/s, tuner::calibrate's copies beyond it at 10 to 13 on a
// similar machine).
constexpr double kCacheSpeed = 2;
// Assumed of a GPU, fitted to single transforms (tuning/measured/h200-*.json).
constexpr double kGpuCacheSpeed = 2.5;
// NVIDIA's driver reports 32 KB for each unit as the size of the cache. Assumed instead: 256 KB, a
// value between a GTX 1080 (100) and a RTX 4090 (560); an H200 has 380.
constexpr std::size_t kReportedPerUnit = 32 << 10, kAssumedPerUnit = 256 << 10;
// Bytes that a stored segment costs in addition if it begins within a sector of a GPU's cache: the
// sectors at its ends are written in parts, by two work-groups. Fitted to second kernels of 60000,
// 65520 and 300000 points with 8, 16 and 32 columns (tuning/measured/h200-untuned.json): 300000
// points take 400, 353 and 317 us; 105840, whose segments begin with a sector, no longer with 8.
constexpr double kCrooked = 160;
// Fractions of the page wait for data within the cache, and for stores to lines that were just
// loaded, which are written back but not fetched. Fitted to the candidates of 2^17, 2^20 and 2^24
// points on 16 cores (docs/measured/tune.tar.gz).
constexpr double kCachedWait = 0.125, kInPlaceWait = 0.5;

/// Returns the fraction of a side's bytes that hooks leave: elements outside boxes are not moved,
/// and integers and powers are smaller.
double hooked_share(const kernel::Step& step, const kernel::Side& side, bool store) {
  if (!side.hooked) return 1;
  const double number = static_cast<double>(step.bytes(side)) / 2;
  const bool real = side.elements == kernel::Elements::real;
  return kernel::share_in_boxes(*side.hooked, store) *
         kernel::stored_bytes(*side.hooked, number, real) / (number * (real ? 1 : 2));
}

/// Returns the complex numbers in global memory per point. In a convolution, and in the extension
/// of a cosine or sine transform, some points have no element; a real number is half a complex one.
double share(const kernel::Step& step, kernel::End end) {
  const bool load = end == kernel::End::load;
  const kernel::Side& side = load ? step.in : step.out;
  const bool real = side.elements == kernel::Elements::real && !step.halved_axis();
  double numbers = real ? 0.5 : 1;
  if (const kernel::EdgeFacts edge = load ? step.at_load() : step.at_store(); edge.numbered)
    numbers *= static_cast<double>(edge.elements) / static_cast<double>(step.line);
  return numbers * hooked_share(step, side, !load) * convolved_share(step, side);
}

double last_cache(const device::Facts& facts) {
  const std::size_t bytes = facts.memory.cache_bytes, units = facts.compute_units;
  const bool wrong = facts.type == device::Type::gpu && bytes == units * kReportedPerUnit;
  return static_cast<double>(wrong ? units * kAssumedPerUnit : bytes);
}

}  // namespace

double element_bytes(const kernel::Step& step) {
  return static_cast<double>(2 * base::bytes_of(step.precision));
}

double transforms(const kernel::Step& step, const kernel::Launch& launch) {
  return static_cast<double>(launch.batch) * static_cast<double>(step.column_count());
}

double streaming(const kernel::Step& step, const kernel::Launch& launch, const device::Facts& facts,
                 const device::Rates& rates, Cost& cost) {
  const double points = transforms(step, launch) * static_cast<double>(step.length);
  const double loaded =
      points * static_cast<double>(step.bytes(step.in)) * share(step, kernel::End::load);
  const double kept =
      points * static_cast<double>(step.bytes(step.out)) * share(step, kernel::End::store);
  const Access load = access_of(step, kernel::End::load, launch.in.distance, facts.simd);
  const Access store = access_of(step, kernel::End::store, launch.out.distance, facts.simd);
  cost.load_segment = load.segment, cost.store_segment = store.segment;
  cost.lines = load.lines + store.lines;
  cost.visits = (load.visits + store.visits) / 2;
  const bool cpu = facts.type == device::Type::cpu;
  // A CPU's cache also holds other data.
  const bool cached = loaded + kept <= last_cache(facts) / (cpu ? 2 : 1);
  const double speed = !cached ? 1 : cpu ? kCacheSpeed : kGpuCacheSpeed;
  if (cpu) {
    const double stored = launch.in.memory == launch.out.memory ? kInPlaceWait : 1;
    const double waits = loaded / load.segment * page_wait(kernel::End::load, load.pages) +
                         kept / store.segment * page_wait(kernel::End::store, store.pages) * stored;
    const double portion = (cached ? kCachedWait : 1) / std::max(1u, facts.compute_units);
    return (loaded + kept) / speed / rates.copy_bytes + waits * portion;
  }
  // A kernel that stores where it loaded finds these sectors in the cache: 65520 points out of
  // place, whose second kernel does so, take the same time with 8 and 16 columns.
  const bool moves = launch.in.memory != launch.out.memory && !step.columns.empty();
  const double crooked = moves ? 1 + store.crooked * kCrooked / store.segment : 1;
  const double memory = loaded / segment_share(rates, load.segment) +
                        kept * crooked / segment_share(rates, store.segment);
  // Loaded sectors that a request does not need are found in the first-level cache by the next
  // request; stores go to the second-level cache one by one.
  const double cache = (loaded + kept * store.overfetch) / kCacheSpeed;
  return std::max(memory / speed, cache) / rates.copy_bytes;
}

double imbalance(double groups, double units) {
  return groups <= 0 ? 1 : std::ceil(groups / units) / (groups / units);
}

}  // namespace imago::model
