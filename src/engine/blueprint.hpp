// This file defines a Blueprint: all that was decided of a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imago/transform.hpp>

#include "kernel/program.hpp"
#include "lines/request.hpp"
#include "problem/problem.hpp"
#include "profile/ladder.hpp"

namespace imago::engine {

/// Transforms along one axis, or along several in one kernel, planned.
struct Line {
  lines::Request request;
  std::string origin;     ///< where the parameters came from, in words
  Parameters parameters;  ///< complete
  kernel::Program program;
  std::optional<profile::Found> tuned;  ///< the entry of a profile that chose them
};

/// One direction: its lines, and all of their launches as one program.
struct Direction {
  std::vector<Line> lines;      ///< of the first chunk
  Parameters cut;               ///< mapping and algorithm that cut the transform into them
  std::uint64_t chunk = 1;      ///< members of the batch at a time
  std::vector<Direction> rest;  ///< one, of the members that are left behind the chunks, or none
  kernel::Program program;      ///< for the whole batch, `rest` included
  double seconds = 0;           ///< of one call, as the model predicts
  std::vector<std::size_t> kernels;  ///< of kernel::kernels_of(program): their indices in Blueprint

  /// Those of all lines, as a caller may give them by hand.
  Parameters parameters() const;
  /// The entries of profiles that chose parameters.
  std::vector<profile::Found> tuned() const;
};

struct Kernel {
  kernel::Kernel code;
  std::size_t table_bytes = 0;  ///< of the largest table that it takes
  std::string options;          ///< for clBuildProgram
  bool volatile_item = false;   ///< ir::Kernel::volatile_item
  bool as_written = false;      ///< ir::Kernel::as_written
};

/// Everything decided, nothing built.
struct Blueprint {
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

}  // namespace imago::engine
