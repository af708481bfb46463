// This file defines what a plan executes: a Launch gives a Step its arguments and never causes a
// compilation; a Program holds the launches of one direction, with their tables and workspace. All
// are plain values.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <imago/parameters.hpp>

#include "kernel/step.hpp"
#include "kernel/tables.hpp"

namespace imago::kernel {

/// The memory that a kernel's argument refers to (kernel/signature.hpp lists all arguments).
enum class Memory { input, output, scratch };

struct Place {
  Memory memory = Memory::input;
  std::uint64_t offset = 0;    ///< added to the caller's offset, in elements
  std::uint64_t distance = 0;  ///< between batch elements
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Launch {
  std::size_t step = 0;  ///< index into Program::steps
  int table = -1;        ///< index into Program::tables
  Place in, out;
  double scale = 1;
  std::uint64_t spectrum = 0;  ///< number of the first element at the fused point of a filter
  /// Number of the first element of a chunk, for operations on data in scratch that identify
  /// elements by their number.
  std::uint64_t chunk = 0;
  std::uint64_t batch = 1;
  std::uint64_t groups = 1;      ///< work-groups
  std::size_t first_number = 0;  ///< generic kernels: index into GenericData::numbers
  std::uint64_t items = 0;       ///< generic hooks: work-items for one batch element
  /// Generic hooks: for each argument of the kernel (kHookBuffers, kHookReals, kHookIntegers) the
  /// index of the direction's argument, or -1.
  std::vector<int> arguments = {};
  /// True if the launch is part of the kernel of the launch before: each work-group runs that
  /// launch's part, then its own, which needs no results of other work-groups (plan/chains.hpp).
  bool chained = false;
};

/// The part of a launch that a call with fewer batch elements runs.
struct LaunchSize {
  std::uint64_t batch = 1, groups = 1;  ///< as in Launch
};

/// The code of one kernel: one step, or those of several launches that run as one
/// (Program::one_launch, Launch::chained).
struct Kernel {
  std::vector<Step> phases;  ///< one after the other
  /// True if each work-group runs a part of one phase and waits for those of the phases before
  /// (Program::one_launch); false if each runs its part of every phase.
  bool waits = false;
  friend auto operator<=>(const Kernel&, const Kernel&) = default;

  /// Returns the name of the kernel, which is also its key in caches.
  std::string name() const;
};

/// The data of generic kernels (kernel/generic.hpp): the numbers and the table of all launches.
struct GenericData {
  std::vector<std::int32_t> numbers;
  std::vector<double> table;
};

struct Program {
  Algorithm algorithm = Algorithm::single;
  std::vector<Step> steps;
  std::vector<Launch> launches;
  std::vector<Table> tables;
  GenericData generic;
  std::size_t scratch_bytes = 0;
  std::uint64_t bytes_moved = 0;  ///< through global memory by one call
  /// True if all launches run as one kernel. Its work-groups draw tickets from an atomic counter;
  /// the first tickets belong to the first launch. A group waits until all groups of earlier
  /// launches have finished. These groups have earlier tickets and are running, so the method does
  /// not depend on which groups the device runs at the same time. The arguments of a kernel of
  /// several phases are the counters, then for each phase the phase's own arguments and an int, its
  /// number of work-groups.
  bool one_launch = false;

  /// Returns true if calls need scratch or the counters, which consecutive calls must not use at
  /// once.
  bool needs_workspace() const { return scratch_bytes > 0 || one_launch; }
};

/// Bytes of a one-launch kernel's counters: tickets, and finished groups. Both are zero before and
/// after each call.
inline constexpr std::size_t kCounterBytes = 8;

/// The most launches that may run as one kernel; the code of all phases is loaded together.
inline constexpr std::size_t kMostPhases = 6;
/// Returns true if the launches may run as one kernel: there are several, but few enough, with
/// work-groups of one size, and all groups execute the same code on the way to each phase.
bool can_be_one_launch(const Program& program);
/// Returns the kernels that a program launches: one for all launches, or one for each chain of
/// steps.
std::vector<Kernel> kernels_of(const Program& program);

/// A kernel launch of a call, which runs one or several launches of the program.
struct Command {
  std::size_t kernel = 0;          ///< index in kernels_of()
  std::size_t first = 0, end = 0;  ///< launches of the program; `end` is one past the last
};
/// Returns the kernel launches of a call, in their order.
std::vector<Command> commands_of(const Program& program);

/// Appends the launches of `next`, to run after those of `program`.
void append(Program& program, const Program& next);

}  // namespace imago::kernel
