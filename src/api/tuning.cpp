// This file asks the profiles.
#include "api/tuning.hpp"

namespace imago::api {

Tuning::Tuning(const problem::Problem& problem, const device::Facts& facts, const Options& options)
    : facts_(facts), otherwise_{options.parameters, "parameters: by hand"} {
  const bool automatic = options.parameters == Parameters{};
  if (automatic) otherwise_.origin = "chosen by the model";
  if (!options.profiles) return;
  const profile::Ladder ladder(facts, profile::usual_sources(options.profile_directory));
  if (const auto rates = ladder.rates()) facts_.rates = *rates;
  if (!automatic) return;
  found_ = ladder.find(profile::class_of(problem));
  if (!found_) return;
  tuned_ = Choice{found_->parameters, found_->text()};
}

void Tuning::reject(const std::string& reason) const {
  found_->source->complain("class " + found_->problem.key() + ": " + reason);
}

}  // namespace imago::api
