// This file is a plan that was baked: what a description became on one device.
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

/// What comes with one clfftEnqueueTransform.
struct Request {
  cl::CommandQueue queue;
  std::vector<cl::Event> waits = {};
  cl::Event* event = nullptr;
  const cl_mem* input = nullptr;   ///< one buffer, or two of a planar side
  const cl_mem* output = nullptr;  ///< in place not looked at
  cl_mem temporary = nullptr;
};

class Baked {
 public:
  /// Decides what is computed, and compiles nothing. Throws what clfftBakePlan has codes for.
  Baked(const Description& description, const cl::Context& context, cl::Device device);

  bool is_on(cl_device_id device) const { return device_() == device; }
  /// Which of imago's directions a client's is: real transforms have one.
  bool inverse_of(clfftDirection direction) const;
  /// Compiles the kernels of a direction where that was not done.
  void compile(bool inverse);
  /// Compiles all that the description can be asked for.
  void compile_all();
  /// What clfftGetTmpBufSize says.
  std::size_t scratch_bytes() const { return scratch_bytes_; }
  /// Arguments of the hooks may change between calls; nothing else of the description may.
  void enqueue(const Description& description, bool inverse, Request request);
  /// The kernels' sources of a direction that was compiled.
  std::vector<KernelSource> sources(bool inverse) const;
  /// Whether compile_all() has nothing to do.
  bool is_compiled() const {
    return plan_[0].has_value() == transform_[0].has_value() &&
           plan_[1].has_value() == transform_[1].has_value();
  }

 private:
  /// The buffers of a call's sides.
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
  bool in_place_, reads_all_;  ///< a callback may read all of the input's buffers
  std::optional<Transform> transform_[2];
  std::optional<Plan> plan_[2];
  std::size_t scratch_bytes_ = 0;
  std::optional<Scratch> own_, given_;
  std::optional<Copies> copies_;  ///< where sides of a plan out of place share memory
};

}  // namespace imago::clfft
