// This file says which parameters a plan starts from, and where they came from.
#pragma once

#include <optional>
#include <string>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "plan/planner.hpp"
#include "problem/problem.hpp"
#include "profile/ladder.hpp"

namespace imago::engine {

/// True if nothing is chosen but the launches, which are a matter of the whole plan.
bool is_automatic(const Parameters& parameters);

/// The problem class that one direction of a whole transform is looked up by; none for what
/// profiles do not know: axes of different kinds (but for a real last one beside complex ones), and
/// strides. An inverse cosine transform is of the class of the kind that it computes.
std::optional<profile::ProblemClass> class_of(const problem::Problem& problem, bool inverse);
/// The same of a line, which may be a part of what has no class, or none that a profile holds; none
/// for lines with strides, with neighbours beside the batch, real ones, and those along cosine axes
/// of different kinds.
std::optional<profile::ProblemClass> class_of(const lines::Request& request);
/// The other way round: a packed transform, forward only.
Transform transform_of(const profile::ProblemClass& problem);

/// What the profiles say: they are read once, so that all lines of a plan are told the same.
class Tuning {
 public:
  Tuning(const device::Facts& facts, const Options& options);

  /// The device, with the rates that a profile measured.
  const device::Facts& facts() const { return facts_; }
  /// What a profile holds; none where there is no class, where the caller chose by hand or wants no
  /// profiles.
  std::optional<profile::Found> find(const std::optional<profile::ProblemClass>& problem) const;
  const Parameters& wish() const { return wish_; }  ///< of the caller
  bool automatic() const { return automatic_; }     ///< the caller chose nothing by hand
  /// Logs, once, why tuned parameters are not used.
  void reject(const profile::Found& found, const std::string& reason) const;

 private:
  device::Facts facts_;
  Parameters wish_;
  bool automatic_;
  std::optional<profile::Ladder> ladder_;
};

}  // namespace imago::engine
