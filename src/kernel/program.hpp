// This file defines what a plan executes: a Launch gives a Step its arguments and never causes a
// compilation; a Program is the launches of one direction with the tables and the scratch that they
// need. All are plain values.
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

/// Which memory an argument of a kernel is (kernel/signature.hpp lists all of them).
enum class Memory { input, output, scratch };

struct Place {
  Memory memory = Memory::input;
  std::uint64_t offset = 0;    ///< beyond the caller's own, in elements
  std::uint64_t distance = 0;  ///< between batch members
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Launch {
  std::size_t step = 0;  ///< index into Program::steps
  int table = -1;        ///< index into Program::tables
  Place in, out;
  double scale = 1;
  std::uint64_t turn = 0;  ///< number of the first element that a filter turns
  /// Number of the first element in scratch, where hooks know elements by their numbers: the first
  /// of the chunk.
  std::uint64_t chunk = 0;
  std::uint64_t batch = 1;
  std::uint64_t groups = 1;  ///< work-groups
};

/// The code of one kernel: of a step, or of several launches that run as one (Program::one_launch).
struct Kernel {
  std::vector<Step> phases;  ///< one after the other
  friend auto operator<=>(const Kernel&, const Kernel&) = default;

  bool one_launch() const { return phases.size() > 1; }
  /// Names the kernel and is the key of its code in caches.
  std::string name() const;
};

struct Program {
  Algorithm algorithm = Algorithm::single;
  std::vector<Step> steps;
  std::vector<Launch> launches;
  std::vector<Table> tables;
  std::size_t scratch_bytes = 0;
  std::uint64_t bytes_moved = 0;  ///< through global memory by one call
  /// All launches are one: the kernel's work-groups take tickets from a counter, those of the first
  /// launch come first, and a group waits until all groups of the launches before its own have
  /// finished. Whoever is waited for has an earlier ticket and is running, so that it needs no
  /// promise of the device about which groups run together. A kernel of several phases takes the
  /// counters, then of each phase what a kernel takes and int, its work-groups.
  bool one_launch = false;

  /// For scratch, or for the counters: what one call has, the next one must not touch before.
  bool needs_workspace() const { return scratch_bytes > 0 || one_launch; }
};

/// What a one-launch kernel's counters take: a ticket, and the groups that have finished. Zero
/// before and after each call.
inline constexpr std::size_t kCounterBytes = 8;

/// Launches that may be one: all of their code is loaded together.
inline constexpr std::size_t kMostPhases = 6;
/// Whether the launches may be one: there are several, few enough for one kernel, in work-groups of
/// one size, and the code that leads to each is the same for all of its groups.
bool can_be_one_launch(const Program& program);
/// The kernels that a program launches: in one launch the one, else that of each step.
std::vector<Kernel> kernels_of(const Program& program);

/// Adds what runs after `program`.
void append(Program& program, const Program& next);

}  // namespace imago::kernel
