// This file is the tuner's two sides of a process boundary: a Judge that lets children build and
// time candidates, and what those children do.
#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "child.hpp"
#include "profile/problem_class.hpp"
#include "tune/judge.hpp"

namespace imago::command {

/// How children are started: `imago tune --child` on the same device, with the same cache.
struct ChildSettings {
  std::string device, cache;
  unsigned builders = 1;  ///< children that compile ahead
  double patience = 60;   ///< seconds until a candidate counts as hanging
};

class ChildJudge final : public tune::Judge {
 public:
  explicit ChildJudge(const ChildSettings& settings);
  /// What the candidates compute from now on; `quiet`: to be timed only while nothing is compiled,
  /// since these cores are the device or their clock counts.
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
    std::string building;  ///< what it was asked for; empty: idle
  };
  Child start() const;
  std::string text_of(const Parameters& candidate) const;
  void give_work();
  void collect();
  void settle(const std::string& text);
  void wait_for(Builder& builder);
  double patience() const;  ///< seconds, within the time that is left

  ChildSettings settings_;
  profile::ProblemClass problem_;
  bool quiet_ = false;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
  Child runner_;
  std::vector<Builder> builders_;
  std::deque<std::string> expected_;
};

/// Serves a ChildJudge until it goes.
int tune_child(const std::string& device, const std::string& cache);

}  // namespace imago::command
