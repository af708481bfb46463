// This file chooses the source of a plan's parameters: the caller, profiles or the cost model.
// (Recipes define whole plans: engine/recipe.)
#pragma once

#include <memory>

#include "engine/blueprint.hpp"
#include "engine/tuning.hpp"
#include "problem/problem.hpp"

namespace imago::engine {

class Source {
 public:
  virtual ~Source() = default;
  /// Chooses the lines of one direction, for all batch elements of the problem at once. Throws
  /// InvalidArgument or Unsupported, but never because of a profile.
  virtual Direction choose(const problem::Problem& problem, bool inverse) const = 0;
  /// Chooses parameters for a request with results that are bitwise identical to those of `alone`,
  /// the parameters of the same line for a single batch element. Throws InvalidArgument if none
  /// exist.
  virtual Parameters choose_alike(const lines::Request& request, const Parameters& alone) const = 0;
};

/// Returns the caller's own choice if there is one. Otherwise profiles come first, and the cost
/// model chooses the rest; without profiles it chooses everything. If `reproducible` is true, the
/// canon defines the arithmetic instead. The source keeps a reference to `tuning`.
std::unique_ptr<const Source> source_of(const Tuning& tuning, bool with_profiles,
                                        bool reproducible);

}  // namespace imago::engine
