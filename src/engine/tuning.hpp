// This file finds the tuned parameters of a plan, and their source.
#pragma once

#include <optional>
#include <string>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "plan/planner.hpp"
#include "problem/problem.hpp"
#include "profile/ladder.hpp"

namespace imago::engine {

/// True if all parameters are automatic except the launches, which are a choice for the whole plan.
bool is_automatic(const Parameters& parameters);

/// Returns the problem class by which profiles store one direction of a whole transform. Returns
/// nothing for transforms without a class: axes of different kinds (except complex ones with a real
/// last one), and strides. An inverse cosine transform has the class of the kind that it computes.
std::optional<profile::ProblemClass> class_of(const problem::Problem& problem, bool inverse);
/// Returns the problem class of a line, also if the whole transform has no class or no profile
/// holds it. Returns nothing for lines with strides, lines with other loops than the batch, real
/// lines, and lines along cosine axes of different kinds.
std::optional<profile::ProblemClass> class_of(const lines::Request& request);
/// Returns a transform of a problem class: packed, forward only.
Transform transform_of(const profile::ProblemClass& problem);

/// Returns the options with the arithmetic of a problem class.
Options options_of(const profile::ProblemClass& problem, Options options);

/// Contents of the profiles. They are read once, so that all lines of a plan use the same entries.
class Tuning {
 public:
  Tuning(const device::Facts& facts, const Options& options);

  /// Returns the device's properties, with the throughput that a profile measured.
  const device::Facts& facts() const { return facts_; }
  /// Returns the entry of a profile. Returns nothing if there is none, if there is no class, if the
  /// caller chose parameters by hand, or if the options disable profiles.
  std::optional<profile::Found> find(const std::optional<profile::ProblemClass>& problem) const;
  const Parameters& wish() const { return wish_; }  ///< the caller's parameters
  bool automatic() const { return automatic_; }     ///< true if the caller chose nothing by hand
  /// Logs once the reason why tuned parameters are not used.
  void reject(const profile::Found& found, const std::string& reason) const;

 private:
  device::Facts facts_;
  Parameters wish_;
  bool automatic_;
  std::optional<profile::Ladder> ladder_;
};

}  // namespace imago::engine
