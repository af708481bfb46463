// This file holds the counters of an interpreted kernel, and the order of work-groups that they
// establish.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpreter/launch.hpp"
#include "ir/kernel.hpp"

namespace imago::interpreter {

class Counters {
 public:
  /// Throws if bound counters are not 0.
  Counters(const ir::Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments);

  bool used() const { return !name_.empty(); }
  std::int64_t take_ticket(std::uint64_t group);
  std::int64_t finished() const { return finished_; }
  /// Records that the group continues after it awaited `awaited` finished groups.
  void passed(std::uint64_t group, std::int64_t awaited);
  /// Finishes a group; the last one of `groups` resets the counters.
  void finish(std::uint64_t group, std::int64_t groups);
  bool has_finished(std::uint64_t group) const { return used() && groups_[group].rank != kNotYet; }
  /// Returns true if everything that group `before` did happens before the current operation of
  /// group `after`. That is the case if `after` awaited enough groups to include `before`, in the
  /// order of finishing. More groups may have finished, but that is chance.
  bool ordered(std::uint64_t before, std::uint64_t after) const {
    return used() && groups_[before].rank < groups_[after].awaited;
  }
  /// Throws if counters were not reset.
  void end() const;

 private:
  static constexpr std::int64_t kNotYet = INT64_MAX;
  struct Group {
    std::int64_t ticket = kNotYet;
    std::int64_t rank = kNotYet;  ///< groups that had finished before this one
    std::int64_t awaited = 0;
  };
  [[noreturn]] void fail(const std::string& what) const;

  const ir::Kernel& kernel_;
  std::string name_;
  std::vector<Group> groups_;  ///< indexed by group number
  std::int64_t tickets_ = 0, finished_ = 0;
};

}  // namespace imago::interpreter
