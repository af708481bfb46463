// This file converts what the functions of imago_cl.h share: handles of OpenCL, options, arrays and
// calls.
#pragma once

#include <imago/imago_cl.h>

#include <chrono>
#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/plan.hpp>
#include <imago/short_time_transform.hpp>

#include "api/commands.hpp"
#include "capi/calls.hpp"

// The name is declared in imago_cl.h.
struct imago_workspace {
  std::shared_ptr<imago::Workspace> shared;
};

namespace imago::capi {

// A clRetain* that fails must not let a wrapper release a reference of the caller.
using api::shared;

/// Returns the options, or the defaults for null. Throws InvalidArgument for a field that is not
/// allowed.
Options cl_options_of(const imago_cl_options* options);

/// Returns complex numbers of real and imaginary parts, the latter 0 for null.
std::vector<std::complex<double>> complex_of(std::size_t count, const double* re, const double* im);

/// Returns the ShortTimeTransform that the caller's struct describes. Throws as transform_of().
ShortTimeTransform short_time_transform_of(const imago_short_time_transform& transform);

/// Returns the array, which holds no references to its buffers.
Array array_of(const imago_array& array);
/// Returns the buffer, for arrays that are a whole one.
cl::Buffer array_of(cl_mem buffer);
/// Returns true if both are the same array, as the caller of a plan in place gives them.
bool same_array(const imago_array& a, const imago_array& b);

/// Stores the fields that this version knows; those of later versions stay as they are.
void store_estimate(const Estimate& made, imago_estimate& estimate);

/// Returns `seconds` as a time to wait: at least 0, at most a year.
std::chrono::milliseconds time_of(double seconds);

/// A caller's call as a Call.
class ClCall {
 public:
  /// Throws InvalidArgument for a field that is not allowed.
  explicit ClCall(const imago_cl_call* call);
  ClCall(const ClCall&) = delete;
  ClCall& operator=(const ClCall&) = delete;
  const Call& get() const noexcept { return call_; }
  /// Gives the caller the events that he asked for.
  void hand_over() noexcept;

 private:
  cl_event* const wanted_;
  const imago_cl_call* const given_;
  cl::Event event_;
  std::vector<cl::Event> events_;
  Call call_;
};

/// Calls `work` with the queue and the Call, then gives the caller the event.
template <class Work>
void enqueue(cl_command_queue queue, const imago_cl_call* call, const Work& work) {
  ClCall made(call);
  work(shared<cl::CommandQueue>(queue), made.get());
  made.hand_over();
}

/// Makes a handle for the caller. It has `kDescribed`, which converts C's description, and the
/// description's name, `kDescription`.
template <class Handle, class Description>
imago_status create(cl_context context, cl_device_id device, const Description* description,
                    const imago_cl_options* options, Handle** handle) noexcept {
  return create(handle, Handle::kName, [&] {
    const auto in = shared<cl::Context>(context);
    const cl::Device on(device, true);
    const Options how = cl_options_of(options);
    const auto what = Handle::kDescribed(known(description, Handle::kDescription));
    return new Handle{{{in, on, what, how}}};
  });
}

/// Calls `work(object, queue, call)` with the object of a handle, then gives the caller the event.
template <class Handle, class Work>
imago_status run(Handle* handle, cl_command_queue queue, const imago_cl_call* call,
                 const Work& work) noexcept {
  return guarded(last_error(), [&] {
    auto& object = given(handle, Handle::kName).object;
    enqueue(queue, call,
            [&](const cl::CommandQueue& to, const Call& how) { work(object, to, how); });
  });
}

/// Calls a member function of the object with the arrays.
template <auto function, class Handle, class... Arrays>
imago_status run(Handle* handle, cl_command_queue queue, const imago_cl_call* call,
                 const Arrays&... arrays) noexcept {
  return run(handle, queue, call, [&](auto& object, const cl::CommandQueue& to, const Call& how) {
    (object.*function)(to, array_of(arrays)..., how);
  });
}

/// Waits for the kernels of a handle's object, and stores whether they are ready.
template <class Handle>
imago_status wait_for(const Handle* handle, double seconds, int* ready) noexcept {
  return guarded(last_error(), [&] {
    const auto& object = given(handle, Handle::kName).object;
    const std::chrono::milliseconds most = time_of(seconds);
    if (most.count() > 0) object.wait(most);
    result_of(ready, "ready") = object.ready();
  });
}

/// Stores what `predict(device, options)` returns.
template <class Predict>
imago_status store_estimate(cl_device_id device, const imago_cl_options* options,
                            imago_estimate* estimate, const Predict& predict) noexcept {
  return guarded(last_error(), [&] {
    known(estimate, "estimate");
    store_estimate(predict(cl::Device(device, true), cl_options_of(options)), *estimate);
  });
}

/// Stores the estimate of a handle's class.
template <class Handle, class Description>
imago_status estimate_of(cl_device_id device, const Description* description,
                         const imago_cl_options* options, imago_estimate* estimate) noexcept {
  return store_estimate(device, options, estimate, [&](const auto& on, const Options& how) {
    const auto what = Handle::kDescribed(known(description, Handle::kDescription));
    return decltype(Handle::object)::estimate(on, what, how);
  });
}

}  // namespace imago::capi
