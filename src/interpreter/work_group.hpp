// This file runs one work-group of a kernel: each instruction runs for all active work-items before
// the next one. A group may be left between two instructions, for others to run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/cell.hpp"
#include "interpreter/counters.hpp"
#include "interpreter/memory.hpp"
#include "interpreter/regions.hpp"
#include "interpreter/work_items.hpp"
#include "ir/kernel.hpp"

namespace imago::interpreter {

/// What the groups of a kernel have in common.
struct Common {
  Common(const ir::Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments);

  const ir::Kernel& kernel;
  GlobalMemories memories;
  Counters counters;
  std::vector<Cell> parameters;
};

/// Room for a group, which runs one after the other.
class WorkGroup {
 public:
  explicit WorkGroup(Common& common);
  WorkGroup(const WorkGroup&) = delete;
  WorkGroup& operator=(const WorkGroup&) = delete;

  void begin(std::uint64_t group);
  std::uint64_t number() const { return group_; }
  bool has_ended() const { return next_ == kernel_.code.size(); }
  /// How many groups it awaits, where fewer have finished: it cannot go on.
  std::optional<std::int64_t> awaits() const;
  /// Runs so many instructions, or to the end, or to where it must wait, or behind an operation on
  /// counters.
  void advance(std::uint64_t instructions);

 private:
  std::uint32_t step(std::uint32_t index);
  void count(std::uint32_t index);
  void check_whole(const char* operation) const;
  void compute(std::uint32_t index);
  void compute_leaf(std::uint32_t index);
  void compute_vector(std::uint32_t index);
  void access(std::uint32_t index);
  /// An operand that is the same for all work-items.
  std::int64_t uniform(std::uint32_t operand) const;

  const ir::Kernel& kernel_;
  Common& common_;
  InterpretedMemories memories_;
  WorkItems items_;
  Regions regions_;
  std::uint64_t group_ = 0;
  std::uint32_t next_ = 0;  ///< index of the next instruction
};

}  // namespace imago::interpreter
