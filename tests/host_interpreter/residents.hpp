// This file starts the work-groups of a kernel and switches between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "interpreter/launch.hpp"
#include "interpreter/work_group.hpp"

namespace imago::interpreter {

class Residents {
 public:
  /// Starts as many groups as may be resident.
  Residents(Common& common, std::uint64_t groups, const Schedule& schedule);

  /// Runs all groups to their ends.
  void run();

 private:
  void start(WorkGroup& room);
  WorkGroup* next_turn();
  std::uint64_t below(std::uint64_t end) { return (*random_)() % end; }
  void check_deadlock() const;

  Common& common_;
  const Schedule schedule_;
  std::optional<std::mt19937_64> random_;  ///< only for random order, because seeding takes time
  std::vector<std::uint64_t> waiting_;     ///< groups that have not started, the next one last
  std::deque<WorkGroup> rooms_;
  std::size_t last_ = 0;  ///< index of the group that ran last
};

}  // namespace imago::interpreter
