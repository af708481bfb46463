// This file holds device memory that one call of a plan uses at a time.
#include "api/used_memory.hpp"

#include "api/arguments.hpp"
#include "api/workspace.hpp"

namespace imago::api {

UsedMemory::UsedMemory(const runtime::Target& target, std::size_t bytes)
    : workspace_(shared<cl::Context>(target.context), cl::Device(target.device, true), bytes) {}

cl_mem UsedMemory::memory() const { return workspace_.state_->memory.get(); }

void UsedMemory::enqueue(const cl::CommandQueue& queue, const Call& call,
                         const std::function<cl::Event(const Call& inner)>& use) {
  const runtime::KnownQueue known(queue());
  runtime::Call outer;
  outer.queue = queue();
  outer.in_order = known.in_order();
  outer.waits = check_waits({workspace_.state_->context.get(), known.device()}, call.waits);
  outer.wants_event = call.event != nullptr;
  const auto after_last_use = [&](const runtime::Call& after, runtime::Enqueued& enqueued) {
    Call inner = copy_of(call, after.waits);
    cl::Event done;
    if (after.wants_event) inner.event = &done;
    enqueued.commands = 1;  // it may enqueue some, and then throw
    const cl::Event last = use(inner);
    enqueued.last = runtime::Handle<cl_event>::shared(last());
  };
  hand_over(workspace_.state_->enqueue(outer, after_last_use), call.event);
}

}  // namespace imago::api
