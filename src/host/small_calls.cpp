// This file describes transforms to the module of small ones.
#include "host/small_calls.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/forked.hpp"
#include "base/integers.hpp"
#include "base/lru_cache.hpp"
#include "engine/composition.hpp"
#include "host/kept_plans.hpp"
#include "problem/make_problem.hpp"
#include "small/cores.hpp"
#include "small/team.hpp"

namespace imago::host {
namespace {

/// Seconds of a launch on a CPU that the caller waits for, without its work.
constexpr double kLaunch = 2e-5;
/// Predicted seconds of the longest call on a single line, which one core computes anyway.
constexpr double kMostSecondsOfLine = 2e-4;

/// Returns the core time of a launch's kernels relative to the functions', measured with PoCL.
/// Kernels transform several short rows at once, and are faster for primes and for images of kinds
/// that are not Fourier's. Others need the same time in the mean, but long lines more, most of all
/// those of real numbers.
double work_of_kernels(const problem::Problem& problem) {
  constexpr std::uint64_t kShort = 32, kLong = 16384, kLargestRadix = 7;
  constexpr double kLess = 0.4, kLongComplex = 1.4, kLongReal = 3.5;
  bool complex = true, fourier = true;
  std::uint64_t longest = 1, axes = 0;
  for (std::size_t i = 0; i < problem.lengths.size(); ++i) {
    const Kind kind = problem.kind(i, false);
    if (kind == Kind::identity) continue;
    const std::uint64_t length = problem.lengths[i];
    if (length < kShort || base::largest_prime_factor(length) > kLargestRadix) return kLess;
    longest = std::max(longest, length), ++axes;
    complex = complex && kind == Kind::complex;
    fourier = fourier && (kind == Kind::complex || kind == Kind::real);
  }
  if (axes == 1 && longest >= kLong) return complex ? kLongComplex : kLongReal;
  return fourier ? 1 : kLess;
}

/// Returns true if the functions are predicted to be faster than a launch, which has all cores.
bool beats_launch(const problem::Problem& problem, const SmallDirections& found) {
  const auto cores = static_cast<double>(small::Cores::own().count());
  for (const bool inverted : {false, true}) {
    const auto* const computation = found.direction(inverted);
    if (computation == nullptr) continue;
    const double seconds = computation->seconds();
    const std::size_t threads = std::min(computation->threads(), small::most_threads());
    // Several threads wait for one another.
    const double own = threads < 2 ? seconds : kLaunch / 2 + seconds / static_cast<double>(threads);
    if (own > kLaunch + work_of_kernels(problem) * seconds / cores) return false;
  }
  return true;
}

/// Returns the elements of the largest transform. A longer line takes part if the functions divide
/// it into two halves, which stay in a core's cache.
std::uint64_t most_elements(bool line, std::uint64_t length) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20, kMostOfLine = std::uint64_t{1} << 22;
  constexpr std::uint64_t kHalved = 32;  // a real line of 16 pairs of points
  return line && length % kHalved == 0 ? kMostOfLine : kMost;
}

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

/// Returns true if the environment selects a device or its kernels.
bool is_forbidden() {
  const char* const small = std::getenv("IMAGO_SMALL");
  return (small != nullptr && std::string(small) == "0") || is_set("IMAGO_DEVICE") ||
         is_set("IMAGO_FIRST_CALL") || engine::is_reproducible({});
}

bool is_plain(const problem::Problem& problem) {
  for (const bool inverse : {false, true})
    for (const bool store : {false, true})
      if (problem.hooked[inverse][store]) return false;
  return !problem.filter && !problem.alike && !problem.varies &&
         problem.signal.storage != Storage::planar && problem.spectrum.storage != Storage::planar &&
         problem.signal.offset == 0 && problem.spectrum.offset == 0;
}

/// Returns true for a side of complex elements that stores only their real parts.
bool has_real_parts(const problem::Problem& problem, const problem::Side& side) {
  const bool natural =
      &side == &problem.signal ? problem.real_axis() || problem.only_real() : problem.only_real();
  return side.real && !natural;
}

std::unique_ptr<const small::SmallComputation> of_direction(const problem::Problem& problem,
                                                            bool inverse) {
  const problem::Side &from = problem.side(inverse, false), &to = problem.side(inverse, true);
  small::SmallRequest request;
  request.precision = problem.precision, request.inverse = inverse;
  request.scale = inverse ? problem.inverse_scale : problem.forward_scale;
  request.orthogonal = problem.orthonormal;
  request.from_real = has_real_parts(problem, from), request.to_real = has_real_parts(problem, to);
  if (problem.batch > 1)
    request.dimensions.push_back({Kind::identity, problem.batch, from.distance, to.distance});
  for (std::size_t i = 0; i < problem.lengths.size(); ++i)
    request.dimensions.push_back(
        {problem.kind(i, inverse), problem.lengths[i], from.strides[i], to.strides[i]});
  return small::SmallComputation::make(request);
}

}  // namespace

double SmallDirections::seconds() const {
  double most = 0;
  for (const bool inverted : {false, true})
    if (const auto* const computation = direction(inverted))
      most = std::max(most, computation->seconds());
  return most;
}

bool SmallDirections::suits(bool inverted, const Arrays& arrays) const {
  const std::size_t read = inverted ? spectrum_bytes : signal_bytes,
                    written = inverted ? signal_bytes : spectrum_bytes;
  const bool typed = arrays.from.number().bytes != 0 || arrays.to.number().bytes != 0;
  return !typed && arrays.placement == placement && arrays.from.bytes() >= read &&
         arrays.to.bytes() >= written && suits(inverted, arrays.from.data(), arrays.to.data());
}

std::optional<SmallDirections> small_directions(const problem::Problem& problem) {
  if (!is_plain(problem)) return {};
  SmallDirections found;
  if (problem.has_forward() && !(found.forward = of_direction(problem, false))) return {};
  if (problem.has_inverse() && !(found.inverse = of_direction(problem, true))) return {};
  found.signal_bytes = problem.signal.bytes(), found.spectrum_bytes = problem.spectrum.bytes();
  found.number_bytes = problem.precision == Precision::f64 ? sizeof(double) : sizeof(float);
  found.placement = problem.placement;
  return found;
}

std::optional<SmallDirections> preferred_small_directions(const problem::Problem& problem) {
  std::uint64_t elements = problem.batch, longest = 1;
  for (const std::uint64_t length : problem.lengths)
    elements *= length, longest = std::max(longest, length);
  const bool line = elements == longest;
  if (elements > most_elements(line, longest) || is_forbidden()) return {};
  auto found = small_directions(problem);
  if (!found) return {};
  if (!(line && found->seconds() <= kMostSecondsOfLine) && !beats_launch(problem, *found))
    found.reset();
  return found;
}

namespace {

using SmallCache =
    base::LruCache<Transform, std::shared_ptr<const small::SmallComputation>, TransformHash>;

struct KeptSmall {
  SmallCache cache{{.values = 512, .bytes = std::size_t{1} << 28},
                   [](const auto& made) { return made ? made->bytes() : 0; }};
  std::atomic<std::uint64_t> generation = 0;
};

// Never destroyed: other threads may still call.
KeptSmall& all_kept() {
  static auto* const kept = new KeptSmall;
  return *kept;
}

std::shared_ptr<const small::SmallComputation> made_small(const Transform& transform) {
  auto found = preferred_small_directions(problem::make_problem(transform));
  if (!found) return nullptr;
  return found->forward ? std::move(found->forward) : std::move(found->inverse);
}

}  // namespace

std::shared_ptr<const small::SmallComputation> kept_small(const Transform& transform) {
  // Another thread of the parent may have held the cache's lock at fork().
  if (base::driver_is_lost()) return made_small(transform);
  return *all_kept().cache.get(transform,
                               [&] { return [transform] { return made_small(transform); }; });
}

void drop_kept_small() {
  ++all_kept().generation;
  all_kept().cache.clear();
}

std::uint64_t small_generation() noexcept { return all_kept().generation; }

}  // namespace imago::host
