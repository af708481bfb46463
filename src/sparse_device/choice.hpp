// This file chooses the method of a sparse transform, and is the only one that tells the methods
// apart.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "sparse/phase_parameters.hpp"
#include "sparse/voting_parameters.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

/// What is computed, and why.
struct Choice {
  /// None where the dense transform is computed alone.
  std::variant<std::monostate, sparse::PhaseParameters, sparse::VotingParameters> method;
  bool dense = false;  ///< alone, or where the method is not sure
  std::string reason;
  std::optional<double> dense_seconds = {};  ///< predicted, where the choice was imago's
};

/// Throws Unsupported where the method that is asked for does not fit.
Choice choose(const sparse::Request& request, const device::Facts& facts, const Options& options);

/// Null where the choice is the dense transform alone.
std::unique_ptr<MethodRunner> make_method(const Setup& setup, const Choice& choice);

}  // namespace imago::sparse_device
