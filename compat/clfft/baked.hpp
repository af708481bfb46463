// This file is a baked plan: the result of a description on one device.
#pragma once

#include <clFFT.h>

#include <CL/opencl.hpp>
#include <cstddef>
#include <imago/plan.hpp>
#include <optional>
#include <vector>

#include "description.hpp"
#include "scratch.hpp"

namespace imago::clfft {

/// The arguments of one clfftEnqueueTransform.
struct Request {
  cl::CommandQueue queue;
  std::vector<cl::Event> waits = {};
  cl::Event* event = nullptr;
  const cl_mem* input = nullptr;   ///< one buffer, or two for planar storage
  const cl_mem* output = nullptr;  ///< ignored in place
  cl_mem temporary = nullptr;
};

class Baked {
 public:
  /// Plans the computation, and compiles nothing. Throws the codes of clfftBakePlan.
  Baked(const Description& description, const cl::Context& context, cl::Device device);

  bool is_on(cl_device_id device) const { return device_() == device; }
  /// True if imago's inverse is the client's direction; real transforms have one direction.
  bool inverse_of(clfftDirection direction) const;
  /// Compiles the kernels of a direction, unless that is done.
  void compile(bool inverse);
  /// Compiles all kernels that the description may need.
  void compile_all();
  /// Returns the result of clfftGetTmpBufSize.
  std::size_t scratch_bytes() const { return scratch_bytes_; }
  /// The arguments of the hooks may change between calls; the rest of the description may not.
  void enqueue(const Description& description, bool inverse, Request request);
  /// Returns the sources of the kernels of a compiled direction.
  std::vector<KernelSource> sources(bool inverse) const;
  /// True if compile_all() has nothing to do.
  bool is_compiled() const {
    return plan_[0].has_value() == transform_[0].has_value() &&
           plan_[1].has_value() == transform_[1].has_value();
  }

 private:
  /// The input and output buffers of a call.
  struct Sides {
    const std::vector<cl::Buffer>&from, &to;
  };
  Scratch* scratch_for(cl_mem temporary);
  void run(bool inverse, const Request& request, Call& call);
  void run_copied(bool inverse, const Request& request, Call& call, const Sides& sides);

  cl::Context context_;
  cl::Device device_;
  Options options_;
  ClientSide input_, output_;
  bool in_place_, reads_all_;  ///< true if a callback may read all of the input's buffers
  std::optional<Transform> transform_[2];
  std::optional<Plan> plan_[2];
  std::size_t scratch_bytes_ = 0;
  std::optional<Scratch> own_, given_;
  std::optional<Copies> copies_;  ///< set if input and output of an out-of-place plan share memory
};

}  // namespace imago::clfft
