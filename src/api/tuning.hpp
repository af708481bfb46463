// This file says which parameters a plan starts from, and where they came from.
#pragma once

#include <optional>
#include <string>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "problem/problem.hpp"
#include "profile/ladder.hpp"

namespace imago::api {

/// Parameters for the planner to complete, and their origin in words.
struct Choice {
  Parameters parameters;
  std::string origin;
};

/// What the profiles say about one problem: asked once, so that both directions are told the same.
class Tuning {
 public:
  Tuning(const problem::Problem& problem, const device::Facts& facts, const Options& options);

  /// The device, with the rates that a profile measured.
  const device::Facts& facts() const { return facts_; }
  /// What a profile holds; none where the caller chose by hand or wants no profiles.
  const std::optional<Choice>& tuned() const { return tuned_; }
  /// What to use where there is nothing tuned: the caller's own, or the defaults.
  const Choice& otherwise() const { return otherwise_; }
  /// Logs, once, why the tuned parameters are not used.
  void reject(const std::string& reason) const;

 private:
  device::Facts facts_;
  Choice otherwise_;
  std::optional<Choice> tuned_;
  std::optional<profile::Found> found_;
};

}  // namespace imago::api
