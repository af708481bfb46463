// This file executes one generated plan: the common implementation of Plan, Filter and Convolution.
// It owns kernels and workspace, checks a call, and enqueues.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "api/arguments.hpp"
#include "engine/blueprint.hpp"
#include "problem/computation.hpp"
#include "runtime/executable.hpp"
#include "runtime/opencl.hpp"
#include "runtime/target.hpp"

namespace imago::api {

class Execution {
 public:
  /// Builds the kernels. `written` names the array that the forward direction writes, in messages.
  Execution(const runtime::Target& target, engine::Blueprint decided, device::Type type,
            const Options& options, const char* written);

  /// The arrays of one call.
  struct Use {
    cl_command_queue queue;
    const Array& from;
    const Array& to;
    Placement placement;
    const Call& call;
  };
  /// Enqueues one direction. Throws as Plan::forward().
  void enqueue(bool inverse, const Use& use) const;

  std::size_t signal_bytes() const { return blueprint_.problem.bytes(false); }
  std::size_t spectrum_bytes() const { return blueprint_.problem.bytes(true); }
  Layout signal_layout() const;
  Layout spectrum_layout() const;
  std::size_t workspace_bytes() const { return blueprint_.workspace_bytes(); }
  std::size_t table_bytes() const { return blueprint_.table_bytes(); }
  std::string describe() const { return blueprint_.describe(); }
  std::string recipe() const;
  std::vector<KernelSource> sources() const;
  const std::vector<KernelBuild>& builds() const { return builds_; }

  /// Throws if a workspace has no memory, or memory of another context.
  static void check_home(const Workspace* workspace, cl_context context, const char* name);

 private:
  void check_workspace(const Workspace::State* scratch, const char* name) const;
  std::uint64_t offset_of(const Array& array, const problem::Side& side) const;
  void check_arrays(bool inverse, const Use& use) const;
  std::array<Side, 2> sides_of(bool inverse, const Use& use) const;
  Workspace::State* scratch_of(const Workspace* own) const;

  runtime::Handle<cl_context> context_;  ///< declared first: released last
  Home home_;
  engine::Blueprint blueprint_;
  const char* written_;
  std::vector<KernelBuild> builds_;  ///< builds of the blueprint's kernels
  std::unique_ptr<const runtime::Executable> forward_, inverse_;
  std::shared_ptr<Workspace::State> workspace_;  ///< null if none is needed
};

/// Chooses and builds a plan, and tests the device at its first plan. Throws as Plan's constructor.
std::unique_ptr<const Execution> make_execution(const cl::Context& context,
                                                const cl::Device& device,
                                                const problem::Computation& computation,
                                                const Options& options,
                                                const char* written = "spectrum");

/// Chooses a plan, but builds nothing. Throws as Plan's constructor.
Estimate estimate(const cl::Device& device, const problem::Computation& computation,
                  const Options& options);

}  // namespace imago::api
