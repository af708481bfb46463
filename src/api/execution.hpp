// This file makes and executes one program of the planner, or of generic kernels. All public plans
// but SparsePlan contain one or more. It checks a call, and enqueues.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "api/arguments.hpp"
#include "api/upgrade.hpp"
#include "engine/engine.hpp"
#include "problem/computation.hpp"
#include "runtime/executable.hpp"
#include "runtime/opencl.hpp"
#include "runtime/target.hpp"

namespace imago::api {

/// An engine with its workspace.
struct Built : engine::Engine {
  /// Allocates the workspace and builds the kernels. Throws as Plan's constructor.
  static std::shared_ptr<const Built> make(const runtime::Target& target,
                                           engine::Blueprint blueprint, device::Type type,
                                           const Options& options);

  std::shared_ptr<Workspace::State> workspace;  ///< null if none is needed
};

using Upgrade = UpgradeOf<Built>;

/// The names of a plan's arrays in messages, as Plan::forward() has them.
struct ArrayNames {
  const char* signal = "signal";
  const char* spectrum = "spectrum";
};

class Execution {
 public:
  /// The kernels of a plan: those of its first calls, and those that follow.
  struct Kernels {
    std::shared_ptr<const Built> first;  ///< null: those of `upgrade`
    std::shared_ptr<Upgrade> upgrade;    ///< null: nothing follows
    /// Makes the choices of a plan whose first kernels are generic.
    std::function<engine::Blueprint()> decide = {};
  };
  Execution(const runtime::Target& target, Kernels kernels, const ArrayNames& names);

  /// The arrays of one call.
  struct Use {
    cl_command_queue queue;
    const Array& from;
    const Array& to;
    Placement placement;
    const Call& call;
    /// Arguments that the plan itself supplies, in addition to the call's.
    std::span<const Argument> own = {};
    std::uint64_t members = 0;  ///< computes the first batch elements only; 0: as in the call

    /// Returns the number of batch elements; 0: all.
    std::uint64_t count() const { return members != 0 ? members : call.count; }
  };
  /// A use whose arguments are right.
  struct Checked {
    std::shared_ptr<const Built> built;
    std::vector<runtime::HookValue> hooks;
    Workspace::State* scratch = nullptr;  ///< null: the direction needs none
  };
  /// Enqueues one direction. Throws as Plan::forward().
  void enqueue(bool inverse, const Use& use) const;
  /// Throws what enqueue() would throw for these arguments, but enqueues nothing.
  Checked check(bool inverse, const Use& use, const runtime::KnownQueue& queue) const;
  /// Enqueues a use that was checked; only its waits and its event may be others since.
  void enqueue(bool inverse, const Use& use, const Checked& checked) const;

  bool ready() const { return !current()->blueprint.is_generic(); }
  bool wait(std::chrono::milliseconds most) const {
    return !kernels_.upgrade || kernels_.upgrade->wait(most);
  }

  std::size_t signal_bytes() const { return problem().bytes(false); }
  std::size_t spectrum_bytes() const { return problem().bytes(true); }
  Layout signal_layout() const;
  Layout spectrum_layout() const;
  std::size_t workspace_bytes() const { return current()->blueprint.workspace_bytes(); }
  std::size_t table_bytes() const { return current()->blueprint.table_bytes(); }
  /// Returns the points of a transform of the first kernel.
  std::size_t first_length() const {
    return current()->blueprint.first().program.steps.front().length;
  }
  std::string describe() const { return current()->blueprint.describe(); }
  std::string recipe() const;
  std::vector<KernelSource> sources() const { return current()->sources(); }
  std::vector<KernelBuild> builds() const { return current()->builds; }

  /// Throws if a workspace has no memory, or memory of another context.
  static void check_home(const Workspace* workspace, cl_context context, const char* name);

 private:
  /// Returns the kernels of the next call.
  std::shared_ptr<const Built> current() const {
    return kernels_.upgrade ? kernels_.upgrade->current() : kernels_.first;
  }
  const problem::Problem& problem() const { return problem_; }
  void check_workspace(const Built& built, const Workspace::State* scratch, const char* name) const;
  std::uint64_t offset_of(const Array& array, const problem::Side& side) const;
  void check_arrays(bool inverse, const Use& use) const;
  std::array<Side, 2> sides_of(bool inverse, const Use& use) const;
  Workspace::State* scratch_of(const Built& built, const Workspace* own) const;
  std::shared_ptr<const Built> kernels_for(const Use& use) const;
  void check_count(const Built& built, bool inverse, std::uint64_t count) const;
  static const runtime::Executable& executable_of(const Built& built, bool inverse);
  void check_use(bool inverse, const Use& use, Checked& checked) const;
  void enqueue(bool inverse, const Use& use, const Checked& checked,
               runtime::Executable::Lease& lease) const;

  runtime::Handle<cl_context> context_;  ///< declared first: released last
  Home home_;
  ArrayNames names_;
  Kernels kernels_;
  const problem::Problem problem_;
};

/// Chooses and builds a plan, and tests the device at its first plan. Throws as Plan's constructor.
std::unique_ptr<const Execution> make_execution(const cl::Context& context,
                                                const cl::Device& device,
                                                const problem::Computation& computation,
                                                const Options& options,
                                                const ArrayNames& names = {});

/// Chooses a plan, but builds nothing. Throws as Plan's constructor.
Estimate estimate(const cl::Device& device, const problem::Computation& computation,
                  const Options& options);

}  // namespace imago::api
