// This file searches the profiles.
#include "engine/tuning.hpp"

#include <algorithm>

#include "plan/legality.hpp"
#include "problem/make_problem.hpp"

namespace imago::engine {

namespace {

/// Returns the kind of all axes; nothing if they differ, or if one is real.
std::optional<Kind> kind_of(const lines::Request& request) {
  if (request.axis_edges.empty()) {
    const Kind kind = kernel::kind_of(request.in.edge);
    return kind != Kind::complex || request.plain() ? std::optional(kind) : std::nullopt;
  }
  const Kind first = kernel::kind_of(request.axis_edges[0]);
  const bool same =
      std::all_of(request.axis_edges.begin(), request.axis_edges.end(),
                  [=](const kernel::Edge& edge) { return kernel::kind_of(edge) == first; });
  return same ? std::optional(first) : std::nullopt;
}

/// Returns the kind of a whole transform as in Transform::kind; nothing if one kind is not enough.
std::optional<Kind> kind_of(const problem::Problem& problem, bool inverse) {
  const std::size_t last = problem.kinds.size() - 1;
  const Kind kind = problem.kind(last, inverse), others = kind == Kind::real ? Kind::complex : kind;
  for (std::size_t axis = 0; axis < last; ++axis) {
    if (problem.kind(axis, inverse) != others) return {};
  }
  return kind == Kind::identity ? std::nullopt : std::optional(kind);
}

/// True if one batch element has the usual layout.
bool lies_as(const problem::Side& side, const problem::Side& usual) {
  return side.strides == usual.strides && side.storage == usual.storage;
}

/// True if the transforms of the batch follow each other in memory. `together` real transforms of
/// `elements` elements are the parts of one complex transform.
bool follows(std::uint64_t elements, std::uint64_t together, std::uint64_t distance,
             std::uint64_t pair_stride) {
  return distance == together * elements && (together == 1 || pair_stride == elements);
}

}  // namespace

std::optional<profile::ProblemClass> class_of(const problem::Problem& problem, bool inverse) {
  const auto kind = kind_of(problem, inverse);
  if (!kind || problem.filter) return {};
  profile::ProblemClass made;
  made.kind = *kind;
  made.lengths = problem.lengths;
  made.precision = problem.precision;
  made.placement = problem.placement;
  made.batch = problem.batch;
  const auto usual = problem::make_problem(transform_of(made));
  if (!lies_as(problem.signal, usual.signal) || !lies_as(problem.spectrum, usual.spectrum))
    return {};
  made.packed = problem.batch == 1 || (problem.signal.distance == usual.signal.distance &&
                                       problem.spectrum.distance == usual.spectrum.distance);
  return made;
}

std::optional<profile::ProblemClass> class_of(const lines::Request& request) {
  const auto kind = kind_of(request);
  if (!kind || request.filter || request.in.planar || request.out.planar ||
      !request.loops.empty() || request.in.stride != 1 || request.out.stride != 1)
    return {};
  profile::ProblemClass made;
  made.kind = *kind;
  const std::uint64_t length = request.elements(kernel::End::load);
  made.lengths = request.axes.empty() ? std::vector{length} : request.axis_lengths();
  made.precision = request.precision;
  made.placement = request.placement;
  const std::uint64_t together = request.in.elements == kernel::Elements::pairs ? 2 : 1;
  made.packed = follows(length, together, request.in.distance, request.in.pair_stride) &&
                follows(length, together, request.out.distance, request.out.pair_stride);
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

Options options_of(const profile::ProblemClass& problem, Options options) {
  if (problem.precision == Precision::f64) options.f64 = problem.pairs ? F64::pairs : F64::native;
  return options;
}

bool is_automatic(const Parameters& parameters) {
  Parameters kernels = parameters;
  kernels.launches = Launches::automatic;
  return kernels == Parameters{};
}

Tuning::Tuning(const device::Facts& facts, const Options& options)
    : facts_(facts), wish_(options.parameters), automatic_(is_automatic(wish_)) {
  plan::check_words(wish_);
  if (!options.profiles) return;
  ladder_.emplace(facts, profile::usual_sources(options.profile_directory));
  if (const auto rates = ladder_->rates()) facts_.rates = *rates;
}

std::optional<profile::Found> Tuning::find(
    const std::optional<profile::ProblemClass>& problem) const {
  // Profiles have no rings.
  if (!automatic_ || !ladder_ || !problem || facts_.f64.ring != base::Ring::none) return {};
  profile::ProblemClass wanted = *problem;
  wanted.pairs = facts_.f64.pairs && wanted.precision == Precision::f64;
  return ladder_->find(wanted);
}

void Tuning::reject(const profile::Found& found, const std::string& reason) const {
  found.source->complain("class " + found.problem.key() + ": " + reason);
}

}  // namespace imago::engine
