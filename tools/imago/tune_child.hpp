// This file is the tuner's process boundary: a Judge whose child processes build and time
// candidates, and the code of these children.
#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "child.hpp"
#include "profile/problem_class.hpp"
#include "tune/judge.hpp"

namespace imago::command {

/// Settings of child processes: `imago tune --child` on the same device, with the same cache.
struct ChildSettings {
  std::string device, cache;
  unsigned builders = 1;  ///< number of children that compile ahead
  double patience = 60;   ///< seconds until a candidate counts as hanging
};

class ChildJudge final : public tune::Judge {
 public:
  explicit ChildJudge(const ChildSettings& settings);
  /// Sets the problem of the next candidates. With `quiet`, they are timed only while nothing is
  /// compiled, because the host's cores are the device or its clock is used.
  void set_problem(const profile::ProblemClass& problem, bool quiet) {
    problem_ = problem;
    quiet_ = quiet;
  }

  void expect(const std::vector<Parameters>& candidates) override;
  void answer_within(double seconds) override;
  double time(const Parameters& candidate, double seconds) override;

 private:
  struct Builder {
    Child child;
    std::string building;  ///< its current candidate; empty: idle
  };
  Child start() const;
  std::string text_of(const Parameters& candidate) const;
  void give_work();
  void collect();
  void settle(const std::string& text);
  void wait_for(Builder& builder);
  double patience() const;  ///< seconds, within the remaining time

  ChildSettings settings_;
  profile::ProblemClass problem_;
  bool quiet_ = false;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
  Child runner_;
  std::vector<Builder> builders_;
  std::deque<std::string> expected_;
};

/// Serves a ChildJudge until that ends.
int tune_child(const std::string& device, const std::string& cache);

}  // namespace imago::command
