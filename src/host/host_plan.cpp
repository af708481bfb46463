// This file implements HostPlan.
#include <imago/host_plan.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/owned.hpp"
#include "api/parts.hpp"
#include "base/errors.hpp"
#include "engine/composition.hpp"
#include "host/arrays.hpp"
#include "host/choice.hpp"
#include "host/kept_plans.hpp"
#include "host/moves.hpp"
#include "host/plans.hpp"
#include "host/pool_state.hpp"
#include "host/scheduler.hpp"
#include "host/small_calls.hpp"
#include "host/strided_pass.hpp"
#include "problem/layout.hpp"
#include "small/functions.hpp"

namespace imago {
namespace {

bool is_in_place(const host::Arrays& arrays) { return arrays.placement == Placement::in_place; }

/// Returns true if neither the pool nor the options select kernels of a device: a CPU computes, or
/// the default device is meant, whatever it is.
bool leaves_choice(const Pool& pool, const HostOptions& options) {
  const Options& plan = options.plan;
  const bool plain = plan.parameters == Parameters{} && plan.profiles &&
                     plan.profile_directory.empty() && !plan.scratch.workspace &&
                     !plan.scratch.per_call && plan.scratch.limit == 0 && !plan.deterministic &&
                     !engine::is_reproducible(plan) && plan.f64 != F64::pairs && !plan.recipe &&
                     options.memory_limit == 0;
  return options.small && plain && pool.size() == 1 &&
         (pool.in_callers_memory() || host::is_kept_pool(pool));
}

std::unique_ptr<char[]> scratch_of(std::size_t bytes) {
  if (bytes == 0) return {};
  try {
    return std::make_unique_for_overwrite<char[]>(bytes);
  } catch (const std::bad_alloc&) {
    base::unsupported("the host cannot allocate " + std::to_string(bytes) +
                          " bytes for the results between two passes",
                      "free memory, or use smaller lengths");
  }
}

}  // namespace

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] HostPlan::State {
  State(Pool of, const Transform& transform, const HostOptions& options);

  void execute(bool inverse, const host::Arrays& arrays, const HostCall& call) const;
  std::string describe() const;
  const host::Plans& plans() const { return plans_; }
  /// Returns the sum over the first device's plans.
  std::size_t sum(std::size_t(Plan::*bytes)() const) const {
    std::size_t sum = 0;
    for (const Plan* plan : plans_.of_first()) sum += (plan->*bytes)();
    return sum;
  }
  /// Returns the lists of the first device's plans, one after the other.
  template <class Element>
  std::vector<Element> lists(std::vector<Element>(Plan::*list)() const) const {
    std::vector<Element> elements;
    for (const Plan* plan : plans_.of_first()) {
      for (Element& element : (plan->*list)()) elements.push_back(std::move(element));
    }
    return elements;
  }

  const host::SmallDirections* small() const { return small_ ? &*small_ : nullptr; }

  const Pool pool;
  const host::Whole whole;

 private:
  void execute_small(bool inverse, const host::Arrays& arrays, const HostCall& call) const;
  host::Compute compute(bool inverse, bool in_place) const;
  void execute_whole(bool inverse, const host::Arrays& arrays, const HostCall& call) const;
  void whole_by(std::size_t device, bool inverse, const host::Arrays& arrays, bool* overwritten)
      const;
  void execute_passes(bool inverse, const host::Arrays& arrays, const HostCall& call) const;
  void passes_by(host::Scheduler & scheduler, bool inverse, const host::Arrays& arrays,
                 const HostCall& call) const;

  const host::Schedules schedules_;
  const host::Plans plans_;
  const std::optional<host::SmallDirections> small_;  ///< instead of plans
  mutable std::atomic<std::size_t> turn_ = 0;  ///< next device for calls that one device computes
};

HostPlan::State::State(Pool of, const Transform& transform, const HostOptions& options)
    : pool(std::move(of)),
      whole(transform),
      schedules_(pool, whole, options),
      plans_(pool, options.plan, schedules_.shapes.all()),
      small_(leaves_choice(pool, options) ? host::preferred_small_directions(whole.problem)
                                          : std::nullopt) {
  if (small_) return;
  for (const bool inverse : {false, true}) {
    for (const std::size_t device : pool.state_->in_use())
      schedules_.for_each_plan(inverse, pool.size(),
                               [&](std::size_t shape, std::size_t) { plans_.get(device, shape); });
  }
}

host::Compute HostPlan::State::compute(bool inverse, bool in_place) const {
  return [this, inverse, in_place](std::size_t device, const host::Piece& piece,
                                   const cl::CommandQueue& queue, const cl::Buffer& from,
                                   const cl::Buffer& to) {
    const Plan& plan = plans_.get(device, piece.shape);
    Call call;
    if (plans_.takes_number(piece.shape))
      call.arguments.emplace_back(host::kFirstColumn, static_cast<double>(piece.number));
    if (in_place)
      inverse ? plan.inverse(queue, to, call) : plan.forward(queue, to, call);
    else
      inverse ? plan.inverse(queue, from, to, call) : plan.forward(queue, from, to, call);
  };
}

void HostPlan::State::whole_by(std::size_t device, bool inverse, const host::Arrays& arrays,
                               bool* overwritten) const {
  const host::Piece& piece = *schedules_.directions[inverse]->whole;
  host::Member& member = pool.state_->member(device);
  const auto compute = this->compute(inverse, is_in_place(arrays));
  const auto work = [&](const cl::CommandQueue& queue, const cl::Buffer& from,
                        const cl::Buffer& to) { compute(device, piece, queue, from, to); };
  const host::Move move{
      {static_cast<char*>(const_cast<void*>(arrays.from.data())) + piece.from.begin,
       piece.from.row},
      {static_cast<char*>(arrays.to.data()) + piece.to.begin, piece.to.row},
      piece.has_gaps,
      overwritten};
  const auto queues = member.borrow();
  if (member.in_callers_memory)
    host::in_callers_memory(*queues, move, work);
  else
    host::by_copies(*queues, move, work, schedules_.budget.memory);
}

/// Computes on the next device in turn; if that fails, on the one after it.
void HostPlan::State::execute_whole(bool inverse, const host::Arrays& arrays,
                                    const HostCall& call) const {
  if (call.progress) call.progress(0);
  const std::vector<std::size_t> devices = pool.state_->in_use();
  const std::size_t turn = turn_++;
  std::vector<std::exception_ptr> losses;
  const auto device = [&](std::size_t i) { return devices[(turn + i) % devices.size()]; };
  for (bool done = false; !done;) {
    bool overwritten = false;
    const std::size_t tried = losses.size();
    try {
      whole_by(device(tried), inverse, arrays, devices.size() > 1 ? &overwritten : nullptr);
      done = true;
    } catch (const DeviceError&) {
      losses.push_back(std::current_exception());
      if (losses.size() == devices.size()) throw;
      if (!overwritten) continue;
      pool.state_->leave_out(device(tried), losses.back());
      throw;
    }
  }
  for (std::size_t i = 0; i < losses.size(); ++i) pool.state_->leave_out(device(i), losses[i]);
  if (call.progress) call.progress(1);
}

void HostPlan::State::passes_by(host::Scheduler& scheduler, bool inverse,
                                const host::Arrays& arrays, const HostCall& call) const {
  const host::PassSchedule& schedule = *schedules_.directions[inverse];
  const auto scratch = scratch_of(schedule.scratch_bytes);
  const auto place = [&](host::PassMemory memory) {
    if (memory == host::PassMemory::scratch) return scratch.get();
    return memory == host::PassMemory::to
               ? static_cast<char*>(arrays.to.data())
               : static_cast<char*>(const_cast<void*>(arrays.from.data()));
  };
  const double part = 1.0 / static_cast<double>(schedule.passes.size());
  double done = 0;
  for (const host::HostPass& pass : schedule.passes) {
    scheduler.run({place(pass.from), place(pass.to), pass, compute(inverse, pass.in_place)}, call,
                  {done, done + part});
    done += part;
  }
}

/// Starts again from the beginning if a failed device has overwritten data between two passes. This
/// works out of place, because the input stays unchanged.
void HostPlan::State::execute_passes(bool inverse, const host::Arrays& arrays,
                                     const HostCall& call) const {
  HostCall steady = call;
  if (call.progress)
    steady.progress = [&, told = 0.0](double share) mutable {
      told = std::max(told, share);
      call.progress(told);
    };
  host::Scheduler scheduler(*pool.state_, pool.state_->in_use(), schedules_.budget.memory);
  for (bool done = false; !done;) {
    const std::size_t before = scheduler.devices();
    try {
      passes_by(scheduler, inverse, arrays, steady);
      done = true;
    } catch (const DeviceError&) {
      const std::size_t left = scheduler.devices();
      if (is_in_place(arrays) || left == 0 || left == before) throw;
    }
  }
  if (call.progress) call.progress(1);
}

void HostPlan::State::execute_small(bool inverse, const host::Arrays& arrays,
                                    const HostCall& call) const {
  if (!small_->suits(inverse, arrays)) whole.check(inverse, arrays);
  if (call.stop.stop_requested()) base::stopped("the call was stopped before it began");
  if (call.progress) call.progress(0);
  small_->direction(inverse)->run(arrays.from.data(), arrays.to.data());
  if (call.progress) call.progress(1);
}

void HostPlan::State::execute(bool inverse, const host::Arrays& arrays,
                              const HostCall& call) const {
  if (small_) return execute_small(inverse, arrays, call);
  whole.check(inverse, arrays);
  if (call.stop.stop_requested()) base::stopped("the call was stopped before it began");
  const host::PassSchedule& schedule = *schedules_.directions[inverse];
  const bool watched = call.progress || call.stop.stop_possible();
  const bool as_whole =
      schedule.whole && (schedule.passes.empty() || (!watched && pool.size() == 1));
  as_whole ? execute_whole(inverse, arrays, call) : execute_passes(inverse, arrays, call);
}

std::string HostPlan::State::describe() const {
  std::string text;
  if (small_)
    return "functions of the processor (" + std::string(small::instruction_set()) +
           ") compute it, without a launch\n";
  for (const bool inverse : {false, true}) {
    if (schedules_.directions[inverse])
      text += host::describe(*schedules_.directions[inverse], inverse ? "inverse" : "forward");
  }
  for (std::size_t shape = 0; shape < plans_.shapes(); ++shape)
    text += "shape " + std::to_string(shape) + ":\n" + plans_.get(0, shape).describe();
  return text;
}

const host::SmallDirections* HostPlanParts::small_of(const HostPlan& plan) {
  return plan.state_->small();
}

HostPlan::HostPlan(Pool pool, Transform transform, const HostOptions& options)
    : state_(api::make_owned<const State>(std::move(pool), transform, options)) {}
Estimate HostPlan::estimate(const Pool& pool, const Transform& transform,
                            const HostOptions& options) {
  const host::Whole whole(transform);
  const host::Schedules schedules(pool, whole, options);
  std::map<std::size_t, std::size_t> runs;  // by shape
  for (const bool inverse : {false, true})
    schedules.for_each_plan(inverse, pool.size(), [&](std::size_t shape, std::size_t times) {
      runs[shape] += inverse == !whole.problem.has_forward() ? times : 0;
    });
  Estimate sum;
  sum.signal_bytes = whole.problem.bytes(false), sum.spectrum_bytes = whole.problem.bytes(true);
  std::size_t workspace_bytes = 0;
  for (const auto& [index, times] : runs) {
    const host::Shapes::Shape& shape = schedules.shapes.all()[index];
    const Estimate part =
        imago::estimate(pool.device(0), shape.transform, host::options_of(shape, options.plan));
    api::add(sum, part, times);
    workspace_bytes += part.workspace_bytes;  // each plan has its own
  }
  sum.workspace_bytes = workspace_bytes;
  return sum;
}
HostPlan::~HostPlan() = default;
HostPlan::HostPlan(HostPlan&&) noexcept = default;
HostPlan& HostPlan::operator=(HostPlan&&) noexcept = default;

void HostPlan::forward(const ConstHostArray& signal, const HostArray& spectrum,
                       const HostCall& call) const {
  api::held(state_).execute(false, {signal, spectrum, Placement::out_of_place}, call);
}
void HostPlan::forward(const HostArray& data, const HostCall& call) const {
  api::held(state_).execute(false, {data, data, Placement::in_place}, call);
}
void HostPlan::inverse(const ConstHostArray& spectrum, const HostArray& signal,
                       const HostCall& call) const {
  api::held(state_).execute(true, {spectrum, signal, Placement::out_of_place}, call);
}
void HostPlan::inverse(const HostArray& data, const HostCall& call) const {
  api::held(state_).execute(true, {data, data, Placement::in_place}, call);
}

const Transform& HostPlan::transform() const { return api::held(state_).whole.transform; }
const Pool& HostPlan::pool() const { return api::held(state_).pool; }
std::size_t HostPlan::signal_bytes() const { return api::held(state_).whole.problem.bytes(false); }
std::size_t HostPlan::spectrum_bytes() const { return api::held(state_).whole.problem.bytes(true); }
Layout HostPlan::signal_layout() const {
  const auto& problem = api::held(state_).whole.problem;
  return problem::layout_of(problem.signal, problem.batch);
}
Layout HostPlan::spectrum_layout() const {
  const auto& problem = api::held(state_).whole.problem;
  return problem::layout_of(problem.spectrum, problem.batch);
}
bool HostPlan::ready() const { return api::held(state_).plans().ready(); }
bool HostPlan::wait(std::chrono::milliseconds most) const {
  return api::held(state_).plans().wait(most);
}
std::size_t HostPlan::workspace_bytes() const {
  return api::held(state_).sum(&Plan::workspace_bytes);
}
std::size_t HostPlan::table_bytes() const { return api::held(state_).sum(&Plan::table_bytes); }
std::vector<KernelSource> HostPlan::sources() const {
  return api::held(state_).lists(&Plan::sources);
}
std::vector<KernelBuild> HostPlan::builds() const { return api::held(state_).lists(&Plan::builds); }
std::string HostPlan::describe() const { return api::held(state_).describe(); }

}  // namespace imago
