// This file is the composition root: it leads a Transform through problem, planner, generator and
// renderer to programs and their kernels' sources. Nothing here touches a device but its facts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "plan/planner.hpp"
#include "plan/program.hpp"
#include "problem/problem.hpp"
#include "profile/ladder.hpp"

namespace imago::engine {

/// For clBuildProgram, of every kernel whose work-groups do not wait for each other. No option may
/// let the compiler change results.
inline constexpr const char* kBuildOptions = "-cl-std=CL1.2";

/// More of them, with the space before: of kernels with barriers for devices that do not keep
/// loads, whose work-items' indices are volatile; none for others. Where the text says so, too, it
/// keeps binaries apart: options are a part of their keys in caches, the text is not.
std::string item_options(const device::Facts& facts);

/// The option of kernels whose products and sums the compiler may not fuse, with the space before:
/// the text says so, and this keeps binaries apart.
inline constexpr const char* kAsWrittenOption = " -DIMAGO_AS_WRITTEN";

/// Transforms along one axis, or along several in one kernel, planned.
struct Line {
  plan::Request request;
  std::string origin;     ///< where the parameters came from, in words
  Parameters parameters;  ///< complete
  plan::Program program;
  std::optional<profile::Found> tuned;  ///< the entry of a profile that chose them
  bool whole = false;                   ///< which is one of the whole transform
};

/// One direction: its lines, and all of their launches as one program.
struct Direction {
  std::vector<Line> lines;  ///< of the first chunk
  std::uint64_t chunk = 1;  ///< members of the batch at a time
  plan::Program program;
  double seconds = 0;                ///< of one call, as the model predicts
  std::vector<std::size_t> kernels;  ///< of plan::kernels_of(program): their indices in Blueprint

  /// Those of all lines, as a caller may give them by hand.
  Parameters parameters() const;
};

struct Kernel {
  plan::Kernel code;
  std::size_t table_bytes = 0;  ///< of the largest table that it takes
  std::string options;          ///< for clBuildProgram
  bool volatile_item = false;   ///< ir::Kernel::volatile_item
  bool as_written = false;      ///< ir::Kernel::as_written
};

/// Everything decided, nothing built.
struct Blueprint {
  Transform transform;
  problem::Problem problem;
  std::optional<Direction> forward, inverse;
  std::vector<Kernel> kernels;                      ///< of both directions, each once
  std::vector<problem::HookArgument> arguments[2];  ///< of forward's hooks and of inverse's

  /// The entries of profiles that chose parameters.
  std::vector<profile::Found> tuned() const;
  std::size_t workspace_bytes() const;
  bool needs_workspace() const;
  /// Each table once.
  std::size_t table_bytes() const;
  std::string describe() const;
};

/// Decides. Throws as Plan's constructor. Nothing that a profile holds makes it throw.
Blueprint decide(const Transform& transform, const device::Facts& facts, const Options& options);
/// Decides and has it built. Where `build` throws an Error for what a profile chose, the device
/// refuses those parameters: this logs one reason and does both again without them.
void decide_and_build(const Transform& transform, const device::Facts& facts,
                      const Options& options, const std::function<void(Blueprint)>& build);
/// Generates the code of a kernel: the same for the same steps.
KernelSource generate(const Kernel& kernel);

}  // namespace imago::engine
