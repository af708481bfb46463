// This file implements the steps of a call.
#include "api/steps.hpp"

#include <utility>

#include "runtime/known_queue.hpp"
#include "runtime/memory.hpp"

namespace imago::api {

Argument copy_of(const Argument& argument) {
  if (!argument.buffer()) return Argument(argument.name(), argument.number());
  return Argument(argument.name(), shared<cl::Buffer>(argument.buffer()), argument.offset());
}

namespace {

/// Enqueues commands that wait for the caller's events, and on an out-of-order queue for each
/// other.
class Chain {
 public:
  Chain(const cl::CommandQueue& queue, const Call& call) : queue_(queue), known_(queue()) {
    for (const cl::Event& event : call.waits) waits_.push_back(shared<cl::Event>(event()));
    callers_.workspace = own_.workspace = call.workspace;
    for (const Argument& argument : call.arguments) callers_.arguments.push_back(copy_of(argument));
  }

  /// Enqueues a step, whose event is last() if it is wanted or the queue is out of order.
  void add(const Step& step, bool wants_event) {
    cl::Event done;
    wants_event = wants_event || !known_.in_order();
    if (const auto* run = std::get_if<Run>(&step))
      enqueue(*run, wants_event ? &done : nullptr);
    else
      done = enqueue(step, wants_event);
    waits_.clear();
    if (!known_.in_order()) waits_.push_back(shared<cl::Event>(done()));
    last_ = std::move(done);
  }
  /// Enqueues a marker, for calls without a step.
  void mark() {
    std::vector<cl_event> waits;
    for (const cl::Event& wait : waits_) waits.push_back(wait());
    cl_event done = nullptr;
    runtime::check(clEnqueueMarkerWithWaitList(queue_(), static_cast<cl_uint>(waits.size()),
                                               waits.empty() ? nullptr : waits.data(), &done),
                   "clEnqueueMarkerWithWaitList");
    last_ = cl::Event(done, false);
  }
  cl::Event last() { return std::move(last_); }

 private:
  void enqueue(const Run& run, cl::Event* event) {
    Call& call = run.callers ? callers_ : own_;
    call.waits.clear();
    for (const cl::Event& wait : waits_) call.waits.push_back(shared<cl::Event>(wait()));
    call.event = event;
    run.execution.enqueue(run.inverse, {queue_(), run.from, run.to, Placement::out_of_place, call,
                                        run.own, run.members});
  }
  /// Enqueues a step that is not Run.
  cl::Event enqueue(const Step& step, bool wants_event) {
    std::vector<cl_event> waits;
    for (const cl::Event& wait : waits_) waits.push_back(wait());
    const auto count = static_cast<cl_uint>(waits.size());
    const cl_event* const list = waits.empty() ? nullptr : waits.data();
    cl_event done = nullptr;
    cl_event* const event = wants_event ? &done : nullptr;
    if (const auto* clear = std::get_if<Clear>(&step)) {
      const char zeros[runtime::kLargestPattern] = {};
      const std::size_t pattern =
          runtime::pattern_of_zeros(known_.device(), clear->offset, clear->bytes);
      runtime::check(clEnqueueFillBuffer(queue_(), clear->memory, zeros, pattern, clear->offset,
                                         clear->bytes, count, list, event),
                     "clEnqueueFillBuffer");
    } else if (const auto* launch = std::get_if<runtime::OwnLaunch>(&step)) {
      const std::size_t items = launch->groups * launch->group_size;
      runtime::check(clEnqueueNDRangeKernel(queue_(), launch->kernel->get(), 1, nullptr, &items,
                                            &launch->group_size, count, list, event),
                     "clEnqueueNDRangeKernel", launch->name);
    } else {
      const auto& copy = std::get<Copy>(step);
      runtime::check(clEnqueueCopyBuffer(queue_(), copy.from, copy.to, copy.from_offset,
                                         copy.to_offset, copy.bytes, count, list, event),
                     "clEnqueueCopyBuffer");
    }
    return cl::Event(done, false);
  }

  const cl::CommandQueue& queue_;
  const runtime::KnownQueue known_;
  Call callers_, own_;  ///< calls of plans that take the caller's arguments, or do not
  std::vector<cl::Event> waits_;
  cl::Event last_;
};

void check(const cl::CommandQueue& queue, const Call& call, const Run& run) {
  Call own;
  own.workspace = call.workspace;
  run.execution.check(run.inverse, {queue(), run.from, run.to, Placement::out_of_place,
                                    run.callers ? call : own, run.own, run.members});
}

}  // namespace

cl::Event enqueue(const cl::CommandQueue& queue, const Call& call, std::span<const Step> steps) {
  check_queue(queue());
  for (const Step& step : steps) {
    if (const auto* run = std::get_if<Run>(&step)) check(queue, call, *run);
  }
  Chain chain(queue, call);
  for (std::size_t i = 0; i < steps.size(); ++i)
    chain.add(steps[i], i + 1 == steps.size() && call.event);
  if (steps.empty() && call.event) chain.mark();
  cl::Event last = chain.last();
  if (call.event) *call.event = shared<cl::Event>(last());
  return last;
}

}  // namespace imago::api
