// This file chooses the method of a sparse transform. Other files do not distinguish the methods.
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

/// The chosen methods, and the reason.
struct Choice {
  /// monostate if only the dense transform is computed.
  std::variant<std::monostate, sparse::PhaseParameters, sparse::VotingParameters> method;
  bool dense = false;  ///< the dense transform is computed, either alone or if the method fails
  std::string reason;
  std::optional<double> dense_seconds = {};  ///< prediction, if imago made the choice
};

/// Throws Unsupported if the requested method does not fit.
Choice choose(const Setup& setup);

/// Returns null if only the dense transform is chosen.
std::unique_ptr<MethodRunner> make_method(const Setup& setup, const Choice& choice);
/// Predicts a first attempt of the method. Returns nothing if only the dense transform is chosen.
std::optional<Estimate> method_estimate(const Setup& setup, const Choice& choice);

}  // namespace imago::sparse_device
