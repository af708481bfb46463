// This file runs one work-group of a kernel: each instruction runs for all active work-items before
// the next one. Between two instructions, other groups may run.
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

/// The state that all groups of a kernel share.
struct Common {
  Common(const ir::Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments);

  const ir::Kernel& kernel;
  GlobalMemories memories;
  Counters counters;
  std::vector<Cell> parameters;
};

/// A place for resident groups, which runs one after the other.
class WorkGroup {
 public:
  explicit WorkGroup(Common& common);
  WorkGroup(const WorkGroup&) = delete;
  WorkGroup& operator=(const WorkGroup&) = delete;

  void begin(std::uint64_t group);
  std::uint64_t number() const { return group_; }
  bool has_ended() const { return next_ == kernel_.code.size(); }
  /// Returns the number of groups that it awaits, if fewer have finished: it cannot continue.
  std::optional<std::int64_t> awaits() const;
  /// Runs up to `instructions` instructions. Stops at the end, before a wait, or after an operation
  /// on counters.
  void advance(std::uint64_t instructions);

 private:
  std::uint32_t step(std::uint32_t index);
  void count(std::uint32_t index);
  void check_whole(const char* operation) const;
  void compute(std::uint32_t index);
  void compute_leaf(std::uint32_t index);
  void compute_vector(std::uint32_t index);
  void access(std::uint32_t index);
  /// Returns an operand that is the same for all work-items.
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
