// This file holds the counters of an interpreted kernel, and which work-groups they order.
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
  /// Counters that are bound must be 0.
  Counters(const ir::Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments);

  bool used() const { return !name_.empty(); }
  std::int64_t take_ticket(std::uint64_t group);
  std::int64_t finished() const { return finished_; }
  /// The group goes on, as so many have finished.
  void passed(std::uint64_t group, std::int64_t awaited);
  /// The last one of `groups` resets the counters.
  void finish(std::uint64_t group, std::int64_t groups);
  bool has_finished(std::uint64_t group) const { return used() && groups_[group].rank != kNotYet; }
  /// Whether all that one group did happens before what another one does now: the other one awaited
  /// so many groups that this was among the first to finish. That more of them happened to have
  /// finished is chance.
  bool ordered(std::uint64_t before, std::uint64_t after) const {
    return used() && groups_[before].rank < groups_[after].awaited;
  }
  /// Reports counters that no group has reset.
  void end() const;

 private:
  static constexpr std::int64_t kNotYet = INT64_MAX;
  struct Group {
    std::int64_t ticket = kNotYet;
    std::int64_t rank = kNotYet;  ///< groups that had finished before
    std::int64_t awaited = 0;
  };
  [[noreturn]] void fail(const std::string& what) const;

  const ir::Kernel& kernel_;
  std::string name_;
  std::vector<Group> groups_;  ///< by their number
  std::int64_t tickets_ = 0, finished_ = 0;
};

}  // namespace imago::interpreter
