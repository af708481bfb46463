// This file has the entry points that run a plan.
#include <clFFT.h>

#include <utility>

#include "baking.hpp"
#include "registry.hpp"
#include "shared.hpp"

namespace imago::clfft {
namespace {

std::vector<cl::Event> events_of(cl_uint count, const cl_event* events) {
  require(count == 0 || events, CLFFT_INVALID_EVENT_WAIT_LIST,
          "the list of events is null and its length is not 0");
  std::vector<cl::Event> waits;
  for (cl_uint i = 0; i < count; ++i) {
    require(events[i], CLFFT_INVALID_EVENT_WAIT_LIST,
            "an event is null; give events that commands returned");
    waits.push_back(shared<cl::Event>(events[i]));
  }
  return waits;
}

}  // namespace

extern "C" {

clfftStatus clfftGetTmpBufSize(const clfftPlanHandle handle, size_t* bytes) {
  return guarded("clfftGetTmpBufSize", [&] {
    with_plan(handle, [&](ClientPlan& plan) {
      require(bytes, CLFFT_INVALID_HOST_PTR, "the pointer to the size is null; give one");
      require(plan.baked.has_value(), CLFFT_INVALID_OPERATION,
              "the plan is not baked; call clfftBakePlan first");
      *bytes = plan.baked->scratch_bytes();
    });
  });
}

// NOLINTNEXTLINE(readability-function-size): clFFT's arguments
clfftStatus clfftEnqueueTransform(clfftPlanHandle handle, clfftDirection direction, cl_uint queues,
                                  cl_command_queue* queue, cl_uint wait_count,
                                  const cl_event* wait_events, cl_event* out_events, cl_mem* input,
                                  cl_mem* output, cl_mem temporary) {
  return guarded("clfftEnqueueTransform", [&] {
    require(queues <= 1, CLFFT_NOTIMPLEMENTED, "give one queue: several are not supported");
    with_plan(handle, [&](ClientPlan& plan) {
      require(queue, CLFFT_INVALID_HOST_PTR, "the array of queues is null; give one");
      Request request;
      request.queue = checked_queue(plan, *queue);
      request.waits = events_of(wait_count, wait_events);
      request.input = input;
      request.output = output;
      request.temporary = temporary;
      cl::Event done;
      request.event = out_events ? &done : nullptr;
      if (!plan.baked) bake(plan, request.queue);
      require(plan.baked->is_on(device_of(request.queue)), CLFFT_DEVICE_MISMATCH,
              "the plan was baked for another device; give a queue of that device");
      plan.baked->enqueue(plan.wanted, plan.baked->inverse_of(direction), std::move(request));
      if (out_events) *out_events = std::exchange(done(), nullptr);  // the client owns it
    });
  });
}

}  // extern "C"

}  // namespace imago::clfft
