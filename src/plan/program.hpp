// This file defines what a plan executes: a Launch gives a Step its arguments and never causes a
// compilation; a Program is the launches of one direction with the tables and the scratch that they
// need. All are plain values.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <imago/parameters.hpp>

#include "plan/step.hpp"
#include "plan/tables.hpp"

namespace imago::plan {

/// What a kernel argument refers to. Every kernel takes, in this order: input and output (of planar
/// ones the real parts, then the imaginary parts), table (only with has_table), int batch, long
/// input offset, long input distance, long output offset, long output distance, and the scale (only
/// when scaled; in the step's precision). Offsets and distances are in complex elements.
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
  std::uint64_t batch = 1;
  std::uint64_t groups = 1;  ///< work-groups
};

struct Program {
  Algorithm algorithm = Algorithm::single;
  std::vector<Step> steps;
  std::vector<Launch> launches;
  std::vector<Table> tables;
  std::size_t scratch_bytes = 0;
  std::uint64_t bytes_moved = 0;  ///< through global memory by one call
};

/// Adds what runs after `program`.
void append(Program& program, const Program& next);

}  // namespace imago::plan
