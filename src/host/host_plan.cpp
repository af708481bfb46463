// This file implements HostPlan.
#include <imago/host_plan.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "base/errors.hpp"
#include "host/arrays.hpp"
#include "host/moves.hpp"
#include "host/pool_state.hpp"

namespace imago {

// The class is exported, its inside is not.
struct [[gnu::visibility("hidden")]] HostPlan::State {
  State(Pool of, Transform transform, const HostOptions& options);

  void execute(bool inverse, const host::Arrays& arrays, const HostCall& call) const;

  Pool pool;
  host::Whole whole;
  Plan plan;

 private:
  void enqueue(bool inverse, const cl::CommandQueue& queue, const Array& from, const Array& to)
      const;
};

HostPlan::State::State(Pool of, Transform transform, const HostOptions& options)
    : pool(std::move(of)),
      whole(transform),
      plan(pool.context(), pool.device(), std::move(transform), options.plan) {}

void HostPlan::State::enqueue(bool inverse, const cl::CommandQueue& queue, const Array& from,
                              const Array& to) const {
  if (whole.problem.placement == Placement::in_place)
    inverse ? plan.inverse(queue, to) : plan.forward(queue, to);
  else
    inverse ? plan.inverse(queue, from, to) : plan.forward(queue, from, to);
}

void HostPlan::State::execute(bool inverse, const host::Arrays& arrays,
                              const HostCall& call) const {
  whole.check(inverse, arrays);
  if (call.stop.stop_requested()) base::stopped("the call was stopped before it began");
  Pool::State::Member& member = pool.state_->member(0);
  const auto lane = member.borrow();
  const auto work = [&](const cl::CommandQueue& queue, const cl::Buffer& from,
                        const cl::Buffer& to) { enqueue(inverse, queue, from, to); };
  const host::Move move = whole.move(inverse, arrays);
  if (call.progress) call.progress(0);
  if (member.in_callers_memory)
    host::in_callers_memory(*lane, move, work);
  else
    host::by_copies(*lane, move, work);
  if (call.progress) call.progress(1);
}

HostPlan::HostPlan(Pool pool, Transform transform, const HostOptions& options)
    : state_(std::make_unique<const State>(std::move(pool), std::move(transform), options)) {}
HostPlan::~HostPlan() = default;
HostPlan::HostPlan(HostPlan&&) noexcept = default;
HostPlan& HostPlan::operator=(HostPlan&&) noexcept = default;

void HostPlan::forward(const void* signal, void* spectrum, const HostCall& call) const {
  api::held(state_).execute(false, {signal, spectrum, Placement::out_of_place}, call);
}
void HostPlan::forward(void* data, const HostCall& call) const {
  api::held(state_).execute(false, {data, data, Placement::in_place}, call);
}
void HostPlan::inverse(const void* spectrum, void* signal, const HostCall& call) const {
  api::held(state_).execute(true, {spectrum, signal, Placement::out_of_place}, call);
}
void HostPlan::inverse(void* data, const HostCall& call) const {
  api::held(state_).execute(true, {data, data, Placement::in_place}, call);
}

const Transform& HostPlan::transform() const { return api::held(state_).whole.transform; }
const Pool& HostPlan::pool() const { return api::held(state_).pool; }
std::size_t HostPlan::signal_bytes() const { return api::held(state_).whole.problem.bytes(false); }
std::size_t HostPlan::spectrum_bytes() const { return api::held(state_).whole.problem.bytes(true); }
std::string HostPlan::describe() const { return api::held(state_).plan.describe(); }

}  // namespace imago
