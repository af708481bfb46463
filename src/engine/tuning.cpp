// This file asks the profiles.
#include "engine/tuning.hpp"

#include <algorithm>

namespace imago::engine {

namespace {

/// The kind of all axes; none where they differ, or where one is real.
std::optional<Kind> kind_of(const plan::Request& request) {
  if (request.axis_cosines.empty())
    return request.cosines.any() || request.plain() ? std::optional(request.cosines.kind)
                                                    : std::nullopt;
  const Kind first = request.axis_cosines[0].kind;
  const bool same = std::all_of(request.axis_cosines.begin(), request.axis_cosines.end(),
                                [=](const plan::Cosines& axis) { return axis.kind == first; });
  return same ? std::optional(first) : std::nullopt;
}

/// The batch's transforms, `together` of which are the parts of one of `elements` elements, follow
/// each other.
bool follows(std::uint64_t elements, std::uint64_t together, std::uint64_t distance,
             std::uint64_t pair_stride) {
  return distance == together * elements && (together == 1 || pair_stride == elements);
}

}  // namespace

std::optional<profile::ProblemClass> class_of(const plan::Request& request) {
  const auto kind = kind_of(request);
  if (!kind || request.in_planar || request.out_planar || !request.loops.empty() ||
      request.in_stride != 1 || request.out_stride != 1)
    return {};
  profile::ProblemClass made;
  made.kind = *kind;
  const std::uint64_t length = request.cosines.any() ? request.cosines.elements : request.length;
  made.lengths = request.axes.empty() ? std::vector{length} : request.axes;
  made.precision = request.precision;
  made.placement = request.placement;
  const std::uint64_t together = request.in_form == plan::Form::pairs ? 2 : 1;
  made.packed = follows(length, together, request.in_distance, request.in_pair_stride) &&
                follows(length, together, request.out_distance, request.out_pair_stride);
  made.batch = together * request.batch;
  return made;
}

Transform transform_of(const profile::ProblemClass& problem) {
  Transform transform;
  transform.kind = problem.kind;
  transform.lengths.assign(problem.lengths.begin(), problem.lengths.end());
  transform.precision = problem.precision;
  transform.placement = problem.placement;
  transform.batch = problem.batch;
  transform.directions = Directions::forward;
  return transform;
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

}  // namespace imago::engine
