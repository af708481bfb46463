// This file is memory beside a client's data: the scratch of a plan's calls, in the caller's
// temporary buffer or in one of the plan's own, and copies of inputs whose memory results take.
#pragma once

#include <CL/opencl.hpp>
#include <cstddef>
#include <imago/plan.hpp>
#include <utility>
#include <vector>

namespace imago::clfft {

/// A buffer of the plan's own.
cl::Buffer allocate(const cl::Context& context, std::size_t bytes);

class Scratch {
 public:
  explicit Scratch(cl::Buffer memory) : memory_(std::move(memory)), workspace_(memory_) {}

  bool is_in(cl_mem memory) const { return memory_() == memory; }
  Workspace* workspace() { return &workspace_; }

 private:
  cl::Buffer memory_;
  Workspace workspace_;
};

struct Copies {
  /// `count` buffers.
  Copies(const cl::Context& context, std::size_t count, std::size_t size);

  std::size_t bytes = 0;  ///< of each
  std::vector<cl::Buffer> buffers = {};
  /// Of the last call that used them; the next one waits for it.
  cl::Event last = {};
};

}  // namespace imago::clfft
