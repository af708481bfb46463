// This file asks the profiles.
#include "api/tuning.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace imago::api {
namespace {

/// What the planner takes for granted: that the lengths of the kernels make up the length. Open is
/// only that of a single kernel.
bool makes_up(const std::vector<KernelParameters>& kernels, std::uint64_t length) {
  if (kernels.empty() || (kernels.size() == 1 && kernels[0].length == 0)) return true;
  for (const auto& kernel : kernels) {
    if (kernel.length == 0 || length % kernel.length != 0) return false;
    length /= kernel.length;
  }
  return length == 1;
}

}  // namespace

Tuning::Tuning(const problem::Problem& problem, const device::Facts& facts, const Options& options)
    : facts_(facts), otherwise_{options.parameters, "parameters: by hand"} {
  const bool automatic = options.parameters == Parameters{};
  if (automatic) otherwise_.origin = "defaults of the device class";
  if (!options.profiles) return;
  const profile::Ladder ladder(facts, profile::usual_sources(options.profile_directory));
  if (const auto rates = ladder.rates()) facts_.rates = *rates;
  if (!automatic) return;
  found_ = ladder.find(profile::class_of(problem));
  if (!found_) return;
  if (!makes_up(found_->parameters.kernels, problem.length)) {
    reject("the product of the kernels' lengths must be " + std::to_string(problem.length));
    return;
  }
  tuned_ = Choice{found_->parameters, found_->text()};
}

void Tuning::reject(const std::string& reason) const {
  found_->source->complain("class " + found_->problem.key() + ": " + reason);
}

}  // namespace imago::api
