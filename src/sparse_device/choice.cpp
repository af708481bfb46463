// This file chooses the method of a sparse transform.
#include "sparse_device/choice.hpp"

#include <utility>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "sparse/audit.hpp"
#include "sparse/selection.hpp"
#include "sparse_device/dense.hpp"
#include "sparse_device/phase.hpp"
#include "sparse_device/voting.hpp"

namespace imago::sparse_device {
namespace {

constexpr double kWorthIt = 0.7;  // fraction of the dense time; predictions are not more accurate
                                  // than that

Choice choose_voting(const sparse::Request& request) {
  auto parameters = sparse::voting_parameters(request);
  if (!parameters)
    base::unsupported(
        "the voting method needs a power of two from " +
            std::to_string(sparse::kLeastVotingLength) +
            " (f64: twice that) to 2^31 as the length, and at most 1/128 (f64: 1/256) as "
            "many coefficients",
        "use SparseMethod::phase or dense");
  return {*std::move(parameters), request.allow_dense, "voting, as asked for"};
}

}  // namespace

Choice choose(const Setup& setup) {
  const auto& [target, facts, request, options] = setup;
  if (request.method == SparseMethod::dense) return {{}, true, "dense, as asked for"};
  if (request.method == SparseMethod::voting) return choose_voting(request);
  auto parameters = sparse::phase_parameters(request, sparse::dear_on(facts));
  if (request.method == SparseMethod::phase || !request.allow_dense) {
    if (!parameters)
      base::unsupported("the phase method needs a length from " +
                            std::to_string(sparse::kLeastPhaseLength) +
                            " to 2^32 - 1 and at most 1/32 as many coefficients, up to 2^20 (fewer "
                            "for real signals and with much noise)",
                        "use SparseMethod::dense");
    return {*std::move(parameters), request.allow_dense, "phase, as asked for"};
  }
  if (!parameters) return {{}, true, "dense: the phase method does not fit"};
  double fast = sparse::seconds(*parameters, parameters->coarse.front(), facts);
  if (request.assurance == Assurance::verified)
    fast +=
        sparse::audit_seconds(sparse::audit_shape(request, facts), request, request.tones, facts);
  const double slow = dense_estimate(setup).seconds;
  const auto times =
      " (predicted: " + base::seconds_text(fast) + ", dense " + base::seconds_text(slow) + ")";
  if (fast > kWorthIt * slow) return {{}, true, "dense: about as fast" + times};
  return {*std::move(parameters), true, "phase" + times, slow};
}

std::unique_ptr<MethodRunner> make_method(const Setup& setup, const Choice& choice) {
  if (const auto* phase = std::get_if<sparse::PhaseParameters>(&choice.method))
    return std::make_unique<PhaseRunner>(setup, *phase);
  if (const auto* voting = std::get_if<sparse::VotingParameters>(&choice.method))
    return std::make_unique<VotingRunner>(setup, *voting);
  return nullptr;
}

std::optional<Estimate> method_estimate(const Setup& setup, const Choice& choice) {
  if (const auto* phase = std::get_if<sparse::PhaseParameters>(&choice.method))
    return estimate_of(setup, *phase);
  if (const auto* voting = std::get_if<sparse::VotingParameters>(&choice.method))
    return estimate_of(setup, *voting);
  return {};
}

}  // namespace imago::sparse_device
