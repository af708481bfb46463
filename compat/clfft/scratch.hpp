// This file holds memory in addition to a client's data. It is the workspace of a plan's calls (the
// caller's temporary buffer or the plan's own) and the copies of inputs that results would
// overwrite.
#pragma once

#include <CL/opencl.hpp>
#include <cstddef>
#include <imago/plan.hpp>
#include <utility>
#include <vector>

namespace imago::clfft {

/// Returns a buffer that the plan owns.
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
  /// Allocates `count` buffers.
  Copies(const cl::Context& context, std::size_t count, std::size_t size);

  std::size_t bytes = 0;  ///< size of each buffer
  std::vector<cl::Buffer> buffers = {};
  /// Event of the last call that used the buffers; the next call waits for it.
  cl::Event last = {};
};

}  // namespace imago::clfft
