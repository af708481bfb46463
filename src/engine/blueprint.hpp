// This file defines a Blueprint: all choices for a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "kernel/program.hpp"
#include "lines/request.hpp"
#include "problem/problem.hpp"
#include "profile/ladder.hpp"

namespace imago::engine {

/// Planned transforms along one axis, or along several axes in one kernel.
struct Line {
  lines::Request request;
  std::string origin;     ///< source of the parameters, for describe()
  Parameters parameters;  ///< parameters without automatic values
  kernel::Program program;
  std::optional<profile::Found> tuned;  ///< profile entry that defined the parameters; empty: none
};

/// One direction: its lines, and all of their launches as one program.
struct Direction {
  std::vector<Line> lines;      ///< lines of the first chunk
  Parameters cut;               ///< mapping and algorithm that divided the transform into lines
  std::uint64_t chunk = 1;      ///< batch elements in one chunk
  std::vector<Direction> rest;  ///< batch elements after the whole chunks: at most one entry
  kernel::Program program;      ///< program for the whole batch, including `rest`
  double seconds = 0;           ///< predicted time of one call
  std::vector<std::size_t> kernels;  ///< indices in Blueprint of kernel::kernels_of(program)

  /// Returns the parameters of all lines, in the form in which a caller may give them by hand.
  Parameters parameters() const;
  /// Returns how the program launches its kernels.
  Launches launches() const;
  /// Returns the profile entries that defined parameters.
  std::vector<profile::Found> tuned() const;
};

struct Kernel {
  kernel::Kernel code;
  std::size_t table_bytes = 0;  ///< size of the largest table that it reads
  std::string options;          ///< options for clBuildProgram
  bool volatile_item = false;   ///< ir::Kernel::volatile_item
  bool as_written = false;      ///< ir::Kernel::as_written
};

/// All choices for a plan, before any kernel is built.
struct Blueprint {
  problem::Problem problem;
  std::optional<Direction> forward, inverse;
  std::vector<Kernel> kernels;                      ///< kernels of both directions, each once
  std::vector<problem::HookArgument> arguments[2];  ///< arguments of hooks, indexed by [inverse]

  const std::optional<Direction>& of(bool is_inverse) const {
    return is_inverse ? inverse : forward;
  }
  /// Returns the forward direction, or the inverse one if that is the only one.
  const Direction& first() const { return forward ? *forward : *inverse; }
  /// Returns the profile entries that defined parameters.
  std::vector<profile::Found> tuned() const;
  std::size_t workspace_bytes() const;
  bool needs_workspace() const;
  bool is_generic() const;  ///< true if its kernels are generic
  /// Returns the size of all tables, each counted once.
  std::size_t table_bytes() const;
  /// Returns what a plan needs, and predicts a call of its first direction.
  Estimate estimate() const;
  std::string describe() const;
};

}  // namespace imago::engine
