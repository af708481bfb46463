// This file implements the steps of a call.
#include "api/steps.hpp"

#include <utility>

#include "runtime/known_queue.hpp"

namespace imago::api {

Argument copy_of(const Argument& argument) {
  if (!argument.buffer()) return Argument(argument.name(), argument.number());
  return Argument(argument.name(), shared<cl::Buffer>(argument.buffer()), argument.offset());
}

void enqueue(const cl::CommandQueue& queue, const Call& call, std::span<const Step> steps) {
  check_queue(queue());
  const bool in_order = runtime::KnownQueue(queue()).in_order();
  Call with, without;  // the caller's arguments
  with.workspace = without.workspace = call.workspace;
  for (const Argument& argument : call.arguments) with.arguments.push_back(copy_of(argument));
  for (const cl::Event& event : call.waits) {
    with.waits.push_back(shared<cl::Event>(event()));
    without.waits.push_back(shared<cl::Event>(event()));
  }
  const auto use = [&](const Step& step) {
    return Execution::Use{
        queue(), step.from, step.to, Placement::out_of_place, step.callers ? with : without,
        step.own};
  };
  for (const Step& step : steps) step.execution.check(step.inverse, use(step));
  cl::Event last;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool wants_event = !in_order || (i + 1 == steps.size() && call.event);
    with.event = without.event = wants_event ? &last : nullptr;
    steps[i].execution.enqueue(steps[i].inverse, use(steps[i]));
    with.waits.clear(), without.waits.clear();
    if (in_order) continue;
    with.waits.push_back(shared<cl::Event>(last()));
    without.waits.push_back(shared<cl::Event>(last()));
  }
  if (call.event) *call.event = std::move(last);
}

}  // namespace imago::api
