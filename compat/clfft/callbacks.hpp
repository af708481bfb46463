// This file is what clfftSetPlanCallback says, and the hooks that it becomes.
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
  /// Null: the function gets a null pointer.
  std::shared_ptr<const cl::Buffer> userdata = {};

  /// Whether the kernels are the same: the buffer is an argument of each call.
  bool same_kernels(const Callback& other) const;
};

/// Throws for null texts and for more than one buffer.
Callback make_callback(const char* function, const char* text, int local_bytes,
                       const cl_mem* userdata, int buffers);

/// The elements that a callback gets or makes.
struct CallbackElements {
  bool f64 = false, real = false, planar = false;
};
/// A callback of one side of a transform.
struct SideCallback {
  const std::optional<Callback>& callback;
  CallbackElements elements;
};
/// Throws NOTIMPLEMENTED for those that want local memory. What elements take in memory is the
/// client's business where nothing depends on it, which is out of place.
Hooks hooks_of(const SideCallback& before, const SideCallback& after, bool in_place);
/// The user's buffers, for a call.
std::vector<Argument> arguments_of(const std::optional<Callback>& before,
                                   const std::optional<Callback>& after);

}  // namespace imago::clfft
