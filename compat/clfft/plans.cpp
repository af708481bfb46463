// This file has the entry points that make, copy, bake and destroy plans.
#include <clFFT.h>

#include "baking.hpp"
#include "registry.hpp"
#include "shared.hpp"

namespace imago::clfft {
namespace {

cl::Context checked_context(cl_context context) {
  require(context, CLFFT_INVALID_CONTEXT, "the context is null; give an OpenCL context");
  return shared<cl::Context>(context);
}

}  // namespace

extern "C" {

clfftStatus clfftCreateDefaultPlan(clfftPlanHandle* handle, cl_context context, const clfftDim dim,
                                   const size_t* lengths) {
  return guarded("clfftCreateDefaultPlan", [&] {
    require(handle, CLFFT_INVALID_HOST_PTR, "the pointer to the new handle is null; give one");
    Description wanted(dim, lengths);
    *handle = Registry::instance().add(checked_context(context), std::move(wanted));
  });
}

clfftStatus clfftCopyPlan(clfftPlanHandle* copy, cl_context context, clfftPlanHandle from) {
  return guarded("clfftCopyPlan", [&] {
    require(copy, CLFFT_INVALID_HOST_PTR, "the pointer to the new handle is null; give one");
    std::optional<Description> wanted;
    with_plan(from, [&](ClientPlan& plan) { wanted = plan.wanted; });
    // clFFT's copies have no callbacks either, because callbacks have buffers, which may be of
    // another context.
    wanted->before.reset();
    wanted->after.reset();
    *copy = Registry::instance().add(checked_context(context), std::move(*wanted));
  });
}

clfftStatus clfftDestroyPlan(clfftPlanHandle* handle) {
  return guarded("clfftDestroyPlan", [&] {
    require(handle, CLFFT_INVALID_HOST_PTR, "the pointer to the handle is null; give one");
    Registry::instance().remove(*handle);
    *handle = 0;
  });
}

clfftStatus clfftBakePlan(clfftPlanHandle handle, cl_uint queues, cl_command_queue* queue,
                          void(CL_CALLBACK* notify)(clfftPlanHandle, void*), void* user_data) {
  return guarded("clfftBakePlan", [&] {
    require(queues <= 1, CLFFT_NOTIMPLEMENTED, "give one queue: several are not supported");
    require(!notify && !user_data, CLFFT_NOTIMPLEMENTED,
            "the callback and its data must be null: notification is not supported");
    with_plan(handle, [&](ClientPlan& plan) {
      require(queue, CLFFT_INVALID_HOST_PTR, "the array of queues is null; give one");
      const cl::CommandQueue used = checked_queue(plan, *queue);
      if (plan.baked && plan.baked->is_compiled()) return;
      if (!plan.baked) bake(plan, used);
      plan.baked->compile_all();
      dump_programs(handle, *plan.baked);
    });
  });
}

}  // extern "C"

}  // namespace imago::clfft
