// This file says where the parameters of a plan come from: by hand, from profiles or from the
// model. (A recipe holds whole plans: engine/recipe.)
#pragma once

#include <memory>

#include "engine/blueprint.hpp"
#include "engine/tuning.hpp"
#include "problem/problem.hpp"

namespace imago::engine {

class Source {
 public:
  virtual ~Source() = default;
  /// Chooses the lines of one direction, for all members of the problem at once. Throws
  /// InvalidArgument or Unsupported; never for what a profile holds.
  virtual Direction choose(const problem::Problem& problem, bool inverse) const = 0;
  /// Chooses parameters that compute a request bit by bit as `alone` computes the same line of a
  /// lone member. Throws InvalidArgument where the request allows none.
  virtual Parameters choose_alike(const lines::Request& request, const Parameters& alone) const = 0;
};

/// Returns the caller's own choice if there is one. Otherwise profiles come first and the model
/// does the rest; without profiles the model does all. The source borrows `tuning`.
std::unique_ptr<const Source> source_of(const Tuning& tuning, bool with_profiles);

}  // namespace imago::engine
