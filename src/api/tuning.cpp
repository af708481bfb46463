// This file asks the profiles.
#include "api/tuning.hpp"

namespace imago::api {

std::optional<profile::ProblemClass> class_of(const plan::Request& request) {
  const bool cosines = request.cosines.any() || !request.axis_cosines.empty();
  if (cosines || request.in_planar || request.out_planar || !request.loops.empty() ||
      request.in_stride != 1 || request.out_stride != 1)
    return {};
  profile::ProblemClass made;
  made.lengths = request.axes.empty() ? std::vector<std::uint64_t>{request.length} : request.axes;
  made.precision = request.precision;
  made.placement = request.placement;
  made.packed = request.in_distance == request.length && request.out_distance == request.length;
  made.batch = request.batch;
  return made;
}

Tuning::Tuning(const device::Facts& facts, const Options& options)
    : facts_(facts), wish_(options.parameters), automatic_(wish_ == Parameters{}) {
  if (!options.profiles) return;
  ladder_.emplace(facts, profile::usual_sources(options.profile_directory));
  if (const auto rates = ladder_->rates()) facts_.rates = *rates;
}

std::optional<profile::Found> Tuning::find(const plan::Request& request) const {
  const auto problem = class_of(request);
  if (!automatic_ || !ladder_ || !problem) return {};
  return ladder_->find(*problem);
}

Choice Tuning::otherwise(const Parameters& share) const {
  return {share, automatic_ ? "chosen by the model" : "parameters: by hand"};
}

void Tuning::reject(const profile::Found& found, const std::string& reason) const {
  found.source->complain("class " + found.problem.key() + ": " + reason);
}

}  // namespace imago::api
