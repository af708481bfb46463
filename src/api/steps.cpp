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
  }

  void clear(cl_mem memory, const Cleared& part) {
    std::vector<cl_event> waits;
    for (const cl::Event& event : waits_) waits.push_back(event());
    const char zeros[runtime::kLargestPattern] = {};
    const std::size_t pattern = runtime::pattern_of_zeros(known_.device(), part.offset, part.bytes);
    cl_event done = nullptr;
    runtime::check(clEnqueueFillBuffer(queue_(), memory, zeros, pattern, part.offset, part.bytes,
                                       static_cast<cl_uint>(waits.size()),
                                       waits.empty() ? nullptr : waits.data(),
                                       known_.in_order() ? nullptr : &done),
                   "clEnqueueFillBuffer");
    then(cl::Event(done, false));
  }
  void run(const Step& step, Call& call, bool wants_event) {
    cl::Event done;
    call.waits.clear();
    for (const cl::Event& event : waits_) call.waits.push_back(shared<cl::Event>(event()));
    call.event = wants_event || !known_.in_order() ? &done : nullptr;
    step.execution.enqueue(step.inverse,
                           {queue_(), step.from, step.to, Placement::out_of_place, call, step.own});
    then(std::move(done));
  }
  cl::Event last() { return std::move(last_); }

 private:
  void then(cl::Event done) {
    waits_.clear();
    if (!known_.in_order()) waits_.push_back(shared<cl::Event>(done()));
    last_ = std::move(done);
  }

  const cl::CommandQueue& queue_;
  const runtime::KnownQueue known_;
  std::vector<cl::Event> waits_;
  cl::Event last_;
};

}  // namespace

void enqueue(const cl::CommandQueue& queue, const Call& call, std::span<const Step> steps,
             const Cleared* cleared) {
  check_queue(queue());
  Call with, without;  // the caller's arguments
  with.workspace = without.workspace = call.workspace;
  for (const Argument& argument : call.arguments) with.arguments.push_back(copy_of(argument));
  for (const Step& step : steps) {
    step.execution.check(step.inverse, {queue(), step.from, step.to, Placement::out_of_place,
                                        step.callers ? call : without, step.own});
  }
  Chain chain(queue, call);
  if (cleared) {
    for (const cl_mem memory : {cleared->array.re(), cleared->array.im()}) {
      if (memory) chain.clear(memory, *cleared);
    }
  }
  for (std::size_t i = 0; i < steps.size(); ++i)
    chain.run(steps[i], steps[i].callers ? with : without, i + 1 == steps.size() && call.event);
  if (call.event) *call.event = chain.last();
}

}  // namespace imago::api
