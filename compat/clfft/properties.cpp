// This file has the entry points that get and set the properties of a plan. Setting a property of a
// baked plan makes it unbaked.
#include <clFFT.h>

#include <algorithm>

#include "registry.hpp"
#include "status.hpp"

namespace imago::clfft {
namespace {

/// Reads from a plan if all pointers (`places`) are given.
template <class Body>
clfftStatus get(const char* entry, clfftPlanHandle handle, bool places, Body body) {
  return guarded(entry, [&] {
    with_plan(handle, [&](ClientPlan& plan) {
      require(places, CLFFT_INVALID_HOST_PTR, "the pointer to the value is null; give one");
      body(static_cast<const Description&>(plan.wanted));
    });
  });
}

/// Changes a plan; if that throws, nothing has changed.
template <class Body>
clfftStatus set(const char* entry, clfftPlanHandle handle, Body body) {
  return guarded(entry, [&] {
    with_plan(handle, [&](ClientPlan& plan) {
      body(plan.wanted);
      plan.baked.reset();
    });
  });
}

void copy_out(clfftDim dim, const std::vector<std::size_t>& values, std::size_t* to) {
  const std::size_t count = count_of(dim);
  require(values.size() >= count, CLFFT_INVALID_ARG_INDEX,
          "the plan has fewer dimensions than requested");
  std::copy_n(values.begin(), count, to);
}

void copy_in(clfftDim dim, const std::size_t* from, std::vector<std::size_t>& values) {
  require(from, CLFFT_INVALID_HOST_PTR, "the array of strides is null; give one");
  values.assign(from, from + count_of(dim));
}

/// True if the direction is forward.
bool is_forward(clfftDirection direction) {
  require(direction == CLFFT_FORWARD || direction == CLFFT_BACKWARD, CLFFT_INVALID_ARG_VALUE,
          "the direction must be CLFFT_FORWARD or CLFFT_BACKWARD");
  return direction == CLFFT_FORWARD;
}

}  // namespace

extern "C" {

clfftStatus clfftGetPlanContext(const clfftPlanHandle handle, cl_context* context) {
  return guarded("clfftGetPlanContext", [&] {
    with_plan(handle, [&](ClientPlan& plan) {
      require(context, CLFFT_INVALID_HOST_PTR, "the pointer to the context is null; give one");
      *context = plan.context();
    });
  });
}

clfftStatus clfftGetPlanPrecision(const clfftPlanHandle handle, clfftPrecision* precision) {
  return get("clfftGetPlanPrecision", handle, precision,
             [&](const Description& plan) { *precision = plan.precision; });
}

clfftStatus clfftSetPlanPrecision(clfftPlanHandle handle, clfftPrecision precision) {
  return set("clfftSetPlanPrecision", handle, [&](Description& plan) {
    require(precision >= CLFFT_SINGLE && precision < ENDPRECISION, CLFFT_INVALID_ARG_VALUE,
            "the precision must be a value of clfftPrecision");
    require(precision == CLFFT_SINGLE || precision == CLFFT_DOUBLE, CLFFT_NOTIMPLEMENTED,
            "the precision must be CLFFT_SINGLE or CLFFT_DOUBLE");
    plan.precision = precision;
  });
}

clfftStatus clfftGetPlanScale(const clfftPlanHandle handle, clfftDirection direction,
                              cl_float* scale) {
  return get("clfftGetPlanScale", handle, scale, [&](const Description& plan) {
    *scale =
        static_cast<cl_float>(is_forward(direction) ? plan.forward_scale : plan.backward_scale);
  });
}

clfftStatus clfftSetPlanScale(clfftPlanHandle handle, clfftDirection direction, cl_float scale) {
  return set("clfftSetPlanScale", handle, [&](Description& plan) {
    (is_forward(direction) ? plan.forward_scale : plan.backward_scale) = scale;
  });
}

clfftStatus clfftGetPlanBatchSize(const clfftPlanHandle handle, size_t* batch) {
  return get("clfftGetPlanBatchSize", handle, batch,
             [&](const Description& plan) { *batch = plan.batch; });
}

clfftStatus clfftSetPlanBatchSize(clfftPlanHandle handle, size_t batch) {
  return set("clfftSetPlanBatchSize", handle, [&](Description& plan) { plan.batch = batch; });
}

clfftStatus clfftGetPlanDim(const clfftPlanHandle handle, clfftDim* dim, cl_uint* size) {
  return get("clfftGetPlanDim", handle, dim && size, [&](const Description& plan) {
    *dim = plan.dim;
    *size = static_cast<cl_uint>(plan.dim);
  });
}

clfftStatus clfftSetPlanDim(clfftPlanHandle handle, const clfftDim dim) {
  return set("clfftSetPlanDim", handle, [&](Description& plan) { plan.set_dimension(dim); });
}

clfftStatus clfftGetPlanLength(const clfftPlanHandle handle, const clfftDim dim, size_t* lengths) {
  return get("clfftGetPlanLength", handle, lengths,
             [&](const Description& plan) { copy_out(dim, plan.lengths, lengths); });
}

clfftStatus clfftSetPlanLength(clfftPlanHandle handle, const clfftDim dim, const size_t* lengths) {
  return set("clfftSetPlanLength", handle,
             [&](Description& plan) { plan.set_lengths(dim, lengths); });
}

clfftStatus clfftGetPlanInStride(const clfftPlanHandle handle, const clfftDim dim,
                                 size_t* strides) {
  return get("clfftGetPlanInStride", handle, strides,
             [&](const Description& plan) { copy_out(dim, plan.input.strides, strides); });
}

clfftStatus clfftSetPlanInStride(clfftPlanHandle handle, const clfftDim dim, size_t* strides) {
  return set("clfftSetPlanInStride", handle,
             [&](Description& plan) { copy_in(dim, strides, plan.input.strides); });
}

clfftStatus clfftGetPlanOutStride(const clfftPlanHandle handle, const clfftDim dim,
                                  size_t* strides) {
  return get("clfftGetPlanOutStride", handle, strides,
             [&](const Description& plan) { copy_out(dim, plan.output.strides, strides); });
}

clfftStatus clfftSetPlanOutStride(clfftPlanHandle handle, const clfftDim dim, size_t* strides) {
  return set("clfftSetPlanOutStride", handle,
             [&](Description& plan) { copy_in(dim, strides, plan.output.strides); });
}

clfftStatus clfftGetPlanDistance(const clfftPlanHandle handle, size_t* in, size_t* out) {
  return get("clfftGetPlanDistance", handle, in && out, [&](const Description& plan) {
    *in = plan.input.distance;
    *out = plan.output.distance;
  });
}

clfftStatus clfftSetPlanDistance(clfftPlanHandle handle, size_t in, size_t out) {
  return set("clfftSetPlanDistance", handle, [&](Description& plan) {
    plan.input.distance = in;
    plan.output.distance = out;
  });
}

clfftStatus clfftGetLayout(const clfftPlanHandle handle, clfftLayout* in, clfftLayout* out) {
  return get("clfftGetLayout", handle, in && out, [&](const Description& plan) {
    *in = plan.input.layout;
    *out = plan.output.layout;
  });
}

clfftStatus clfftSetLayout(clfftPlanHandle handle, clfftLayout in, clfftLayout out) {
  return set("clfftSetLayout", handle, [&](Description& plan) { plan.set_layouts(in, out); });
}

clfftStatus clfftGetResultLocation(const clfftPlanHandle handle, clfftResultLocation* location) {
  return get("clfftGetResultLocation", handle, location,
             [&](const Description& plan) { *location = plan.location; });
}

clfftStatus clfftSetResultLocation(clfftPlanHandle handle, clfftResultLocation location) {
  return set("clfftSetResultLocation", handle, [&](Description& plan) {
    require(location >= CLFFT_INPLACE && location < ENDPLACE, CLFFT_INVALID_ARG_VALUE,
            "the location must be CLFFT_INPLACE or CLFFT_OUTOFPLACE");
    plan.location = location;
  });
}

clfftStatus clfftGetPlanTransposeResult(const clfftPlanHandle handle,
                                        clfftResultTransposed* transposed) {
  return get("clfftGetPlanTransposeResult", handle, transposed,
             [&](const Description& plan) { *transposed = plan.transposed; });
}

clfftStatus clfftSetPlanTransposeResult(clfftPlanHandle handle, clfftResultTransposed transposed) {
  return set("clfftSetPlanTransposeResult", handle, [&](Description& plan) {
    require(transposed >= CLFFT_NOTRANSPOSE && transposed < ENDTRANSPOSED, CLFFT_INVALID_ARG_VALUE,
            "the value must be CLFFT_NOTRANSPOSE or CLFFT_TRANSPOSED");
    plan.transposed = transposed;
  });
}

// NOLINTNEXTLINE(readability-function-size): clFFT's arguments
clfftStatus clfftSetPlanCallback(clfftPlanHandle handle, const char* function, const char* text,
                                 int local_bytes, clfftCallbackType type, cl_mem* userdata,
                                 int buffers) {
  return guarded("clfftSetPlanCallback", [&] {
    with_plan(handle, [&](ClientPlan& plan) {
      require(type == PRECALLBACK || type == POSTCALLBACK, CLFFT_INVALID_ARG_VALUE,
              "the callback must be PRECALLBACK or POSTCALLBACK");
      Callback callback = make_callback(function, text, local_bytes, userdata, buffers);
      auto& place = type == PRECALLBACK ? plan.wanted.before : plan.wanted.after;
      const bool same = place && place->same_kernels(callback);
      place = std::move(callback);
      if (!same) plan.baked.reset();
    });
  });
}

}  // extern "C"

}  // namespace imago::clfft
