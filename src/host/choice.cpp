// This file implements the choice of a course.
#include "host/choice.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "host/crew.hpp"
#include "host/out_of_core.hpp"
#include "host/spans.hpp"

namespace imago::host {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
/// Of a device's memory: what others have, and the plans of other calls.
constexpr std::size_t kMargin = 8;
/// Less is computed by a CPU as a whole, also where somebody watches.
constexpr std::size_t kWatchedBytes = std::size_t{64} << 20;

std::size_t memory_of(const cl::Device& device, cl_device_info what) {
  return runtime::info<cl_ulong>(clGetDeviceInfo, "clGetDeviceInfo", device(), what);
}

/// Whether spans carry much that nobody needs, or cannot overlap what they do.
bool is_clumsy(const Whole& whole, bool inverse, const Round& round) {
  const problem::Side& from = whole.problem.memory(inverse, false);
  std::size_t elements = whole.problem.batch;
  for (const std::uint64_t length : from.lengths) elements *= length;
  return round.pieces[0].has_gaps || from.bytes() > 2 * elements * from.element_bytes ||
         (round.pieces.size() == 1 && whole.problem.batch > 1);
}

[[noreturn]] void no_way(const Whole& whole, bool inverse, const Budget& budget,
                         const std::string& why) {
  const problem::Problem& p = whole.problem;
  base::unsupported(
      "one transform of " +
          std::to_string((p.memory(inverse, false).bytes() + p.memory(inverse, true).bytes()) /
                         p.batch) +
          " bytes, both sides, is more than the memory allowed holds, " +
          std::to_string(budget.memory) + " bytes (" + std::to_string(budget.largest) +
          " in one buffer), and it is not computed out of core: " + why,
      "allow more (HostOptions::memory_limit), or take a device that has more");
}

Course in_pieces(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes) {
  Shapes tried = shapes;
  auto round = spans(whole, inverse, budget, tried);
  const std::string why = why_no_passes(whole);
  if (round && (!why.empty() || !is_clumsy(whole, inverse, *round))) {
    shapes = std::move(tried);
    Course course;
    course.rounds.push_back(std::move(*round));
    return course;
  }
  if (!why.empty()) no_way(whole, inverse, budget, why);
  return passes(whole, inverse, budget, shapes);
}

/// Rows of elements alone go there and back.
Course by_rows(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes) {
  const std::string why = why_no_passes(whole);
  if (!why.empty())
    base::unsupported("gaps are not left alone (HostOptions::leave_gaps): " + why,
                      "write to an array without gaps, and copy that");
  return passes(whole, inverse, budget, shapes);
}

}  // namespace

Means::Means(const Pool& pool, const HostOptions& options) : leave_gaps(options.leave_gaps) {
  in_callers_memory = true;
  for (std::size_t i = 0; i < pool.size(); ++i) in_callers_memory &= pool.in_callers_memory(i);
  budget.memory = options.memory_limit != 0 ? options.memory_limit : kUnlimited;
  budget.largest = kUnlimited;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (pool.in_callers_memory(i) && !in_callers_memory) continue;
    const std::size_t all = memory_of(pool.device(i), CL_DEVICE_GLOBAL_MEM_SIZE);
    budget.memory = std::min(budget.memory, all - all / kMargin);
    budget.largest =
        std::min(budget.largest, memory_of(pool.device(i), CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  }
  budget.devices = pool.size();
  budget.scratch = [device = pool.device(), plan = options.plan](const Transform& transform) {
    Options automatic = plan;
    automatic.parameters = {};
    return estimate(device, transform, automatic).workspace_bytes;
  };
}

Course choose(const Whole& whole, bool inverse, const Means& means, Shapes& shapes) {
  const problem::Problem& p = whole.problem;
  const std::size_t from = p.memory(inverse, false).bytes(), to = p.memory(inverse, true).bytes();
  if (means.in_callers_memory && std::max(from, to) <= means.budget.largest) {
    Course course;
    course.whole = whole_span(whole, inverse, shapes);
    Budget there = means.budget;
    there.memory = kUnlimited;  // buffers there take none
    if (there.devices == 1 && from + to < kWatchedBytes) return course;
    if (auto round = spans(whole, inverse, there, shapes); round && round->pieces.size() > 1)
      course.rounds.push_back(std::move(*round));
    return course;
  }
  if (means.leave_gaps && has_gaps(p, inverse))
    return by_rows(whole, inverse, means.budget, shapes);
  const Slot::Bytes bytes = p.placement == Placement::in_place ? Slot::Bytes{std::max(from, to), 0}
                                                               : Slot::Bytes{from, to};
  if (from + to < kLeastBytes && means.budget.holds(whole.transform, bytes, 1)) {
    Course course;
    course.whole = whole_span(whole, inverse, shapes);
    return course;
  }
  return in_pieces(whole, inverse, means.budget, shapes);
}

}  // namespace imago::host
