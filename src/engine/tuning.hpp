// This file says which parameters a plan starts from, and where they came from.
#pragma once

#include <optional>
#include <string>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "plan/planner.hpp"
#include "profile/ladder.hpp"

namespace imago::engine {

/// Parameters for the planner to complete, and their origin in words.
struct Choice {
  Parameters parameters;
  std::string origin;

  /// Nothing is chosen: the model is to.
  bool automatic() const { return parameters == Parameters{}; }
};

/// The problem class that a line is looked up by; none for lines that profiles do not know: those
/// with strides, with neighbours beside the batch, real ones, and those along cosine axes of
/// different kinds.
std::optional<profile::ProblemClass> class_of(const plan::Request& request);
/// The other way round: a packed transform, forward only.
Transform transform_of(const profile::ProblemClass& problem);

/// What the profiles say: they are read once, so that all lines of a plan are told the same.
class Tuning {
 public:
  Tuning(const device::Facts& facts, const Options& options);

  /// The device, with the rates that a profile measured.
  const device::Facts& facts() const { return facts_; }
  /// What a profile holds; none where the caller chose by hand or wants no profiles.
  std::optional<profile::Found> find(const plan::Request& request) const;
  const Parameters& wish() const { return wish_; }  ///< of the caller
  /// What to use where there is nothing tuned: a line's share of the wish, or the model's choice.
  Choice otherwise(const Parameters& share) const;
  /// Logs, once, why tuned parameters are not used.
  void reject(const profile::Found& found, const std::string& reason) const;

 private:
  device::Facts facts_;
  Parameters wish_;
  bool automatic_;
  std::optional<profile::Ladder> ladder_;
};

}  // namespace imago::engine
