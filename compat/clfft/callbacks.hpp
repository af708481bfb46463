// This file describes the arguments of clfftSetPlanCallback, and converts them to hooks.
#pragma once

#include <clFFT.h>

#include <CL/opencl.hpp>
#include <imago/hooks.hpp>
#include <imago/plan.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace imago::clfft {

struct Callback {
  std::string function = {}, text = {};
  bool local_memory = false;
  /// If null, the function gets a null pointer.
  std::shared_ptr<const cl::Buffer> userdata = {};

  /// True if the kernels are the same; the buffer is an argument of each call.
  bool same_kernels(const Callback& other) const;
};

/// Throws for null texts and for more than one buffer.
Callback make_callback(const char* function, const char* text, int local_bytes,
                       const cl_mem* userdata, int buffers);

/// The type of the elements that a callback gets or returns.
struct CallbackElements {
  bool f64 = false, real = false, planar = false;
};
/// A callback at the input or output of a transform.
struct SideCallback {
  const std::optional<Callback>& callback;
  CallbackElements elements;
};
/// Throws NOTIMPLEMENTED for callbacks that need local memory. Out of place, the client defines the
/// size of elements in memory, because nothing else depends on it.
Hooks hooks_of(const SideCallback& before, const SideCallback& after, bool in_place);
/// Returns the user's buffers, for a call.
std::vector<Argument> arguments_of(const std::optional<Callback>& before,
                                   const std::optional<Callback>& after);

}  // namespace imago::clfft
