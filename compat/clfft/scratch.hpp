// This file is the scratch of a plan's calls: a copy of the input where that is staged, and behind
// it imago's workspace. It lies in the caller's temporary buffer or in one of the plan's own.
#pragma once

#include <CL/opencl.hpp>
#include <cstddef>
#include <imago/plan.hpp>
#include <optional>
#include <vector>

namespace imago::clfft {

/// How much, and where.
struct ScratchShape {
  std::vector<std::size_t> copies = {};  ///< bytes of each buffer of the input that is staged
  std::size_t workspace = 0;
  std::size_t alignment = 1;  ///< of sub-buffers, in bytes

  std::size_t bytes() const;
  /// Where the workspace, and what stands before it, begins.
  std::size_t begin_of(std::size_t part) const;
};

class Scratch {
 public:
  /// All parts in `memory`; throws Refusal where it is too small or of another context.
  Scratch(const ScratchShape& shape, const cl::Buffer& memory);

  bool is_in(cl_mem memory) const { return memory_() == memory; }
  const std::vector<cl::Buffer>& copies() const { return copies_; }
  Workspace* workspace() { return workspace_ ? &*workspace_ : nullptr; }

  /// Of the last call that was staged; the next one waits for it.
  cl::Event last = {};

 private:
  cl::Buffer part(const ScratchShape& shape, std::size_t index, std::size_t bytes) const;

  cl::Buffer memory_;
  std::vector<cl::Buffer> copies_;
  std::optional<Workspace> workspace_;
};

}  // namespace imago::clfft
