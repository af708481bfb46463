// This file implements the choice of passes.
#include "host/choice.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "api/arguments.hpp"
#include "base/errors.hpp"
#include "engine/composition.hpp"
#include "host/out_of_core.hpp"
#include "host/scheduler.hpp"
#include "host/spans.hpp"

namespace imago::host {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
/// The fraction 1/kMargin of a device's memory is left for other programs and other plans.
constexpr std::size_t kMargin = 8;
/// For fewer bytes, a CPU computes the whole array at once, even if the caller wants progress.
constexpr std::size_t kWatchedBytes = std::size_t{64} << 20;

std::size_t memory_of(const cl::Device& device, cl_device_info what) {
  return runtime::info<cl_ulong>(clGetDeviceInfo, "clGetDeviceInfo", device(), what);
}

/// True if contiguous spans would copy much unneeded data, or cannot overlap copies and computing.
bool is_clumsy(const Whole& whole, bool inverse, const HostPass& pass) {
  const problem::Side& from = whole.problem.memory(inverse, false);
  std::size_t elements = whole.problem.batch;
  for (const std::uint64_t length : from.lengths) elements *= length;
  return pass.pieces[0].has_gaps || from.bytes() > 2 * elements * from.element_bytes ||
         (pass.pieces.size() == 1 && whole.problem.batch > 1);
}

[[noreturn]] void no_way(const Whole& whole, bool inverse, const Budget& budget,
                         const std::string& why) {
  const problem::Problem& p = whole.problem;
  base::unsupported(
      "one transform of " +
          std::to_string((p.memory(inverse, false).bytes() + p.memory(inverse, true).bytes()) /
                         p.batch) +
          " bytes, input and output, does not fit the allowed " + std::to_string(budget.memory) +
          " bytes (" + std::to_string(budget.largest) +
          " in one buffer), and cannot be computed out of core: " + why,
      "raise HostOptions::memory_limit, or use a device with more memory");
}

std::string why_no_passes(const Whole& whole, const Budget& budget) {
  return budget.reproducible ? "options.reproducible is true" : why_no_passes(whole);
}

PassSchedule in_pieces(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes) {
  Shapes tried = shapes;
  auto pass = spans(whole, inverse, budget, tried);
  const std::string why = why_no_passes(whole, budget);
  if (pass && (!why.empty() || !is_clumsy(whole, inverse, *pass))) {
    shapes = std::move(tried);
    PassSchedule schedule;
    schedule.passes.push_back(std::move(*pass));
    return schedule;
  }
  if (!why.empty()) no_way(whole, inverse, budget, why);
  return passes(whole, inverse, budget, shapes);
}

/// Copies only rows of elements, not the gaps between them.
PassSchedule by_rows(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes) {
  const std::string why = why_no_passes(whole, budget);
  if (!why.empty())
    base::unsupported("HostOptions::leave_gaps is not possible here: " + why,
                      "write to an array without gaps, and copy that");
  return passes(whole, inverse, budget, shapes);
}

}  // namespace

Schedules::Schedules(const Pool& pool, const Whole& whole, const HostOptions& options) {
  if (options.plan.scratch.workspace)
    base::invalid("options.plan.scratch.workspace", "given",
                  "it must be null: each device has its own");
  api::check_no_recipe(options.plan, "options.plan.recipe");
  for (std::size_t i = 0; i < pool.size(); ++i) in_callers_memory_ &= pool.in_callers_memory(i);
  budget.memory = options.memory_limit != 0 ? options.memory_limit : kUnlimited;
  budget.largest = kUnlimited;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (pool.in_callers_memory(i) && !in_callers_memory_) continue;
    const std::size_t all = memory_of(pool.device(i), CL_DEVICE_GLOBAL_MEM_SIZE);
    budget.memory = std::min(budget.memory, all - all / kMargin);
    budget.largest =
        std::min(budget.largest, memory_of(pool.device(i), CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  }
  budget.devices = pool.size();
  budget.reproducible = engine::is_reproducible(options.plan);
  budget.scratch = [device = pool.device(), plan = options.plan](const Transform& transform) {
    Options automatic = plan;
    automatic.parameters = {};
    return estimate(device, transform, automatic).workspace_bytes;
  };
  if (whole.problem.has_forward()) directions[0] = choose(whole, false, options.leave_gaps);
  if (whole.problem.has_inverse()) directions[1] = choose(whole, true, options.leave_gaps);
}

PassSchedule Schedules::choose(const Whole& whole, bool inverse, bool leave_gaps) {
  const problem::Problem& p = whole.problem;
  const std::size_t from = p.memory(inverse, false).bytes(), to = p.memory(inverse, true).bytes();
  if (in_callers_memory_ && std::max(from, to) <= budget.largest) {
    PassSchedule schedule;
    schedule.whole = whole_span(whole, inverse, shapes);
    Budget there = budget;
    there.memory = kUnlimited;  // buffers in the caller's memory need none
    if (there.devices == 1 && from + to < kWatchedBytes) return schedule;
    if (auto pass = spans(whole, inverse, there, shapes); pass && pass->pieces.size() > 1)
      schedule.passes.push_back(std::move(*pass));
    return schedule;
  }
  if (leave_gaps && has_gaps(p, inverse)) return by_rows(whole, inverse, budget, shapes);
  const Slot::Bytes bytes = p.placement == Placement::in_place ? Slot::Bytes{std::max(from, to), 0}
                                                               : Slot::Bytes{from, to};
  if (from + to < kLeastBytes && budget.holds(whole.transform, bytes, 1)) {
    PassSchedule schedule;
    schedule.whole = whole_span(whole, inverse, shapes);
    return schedule;
  }
  return in_pieces(whole, inverse, budget, shapes);
}

}  // namespace imago::host
