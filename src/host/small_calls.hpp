// This file decides which transforms of host arrays the generated functions compute.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <imago/host_plan.hpp>
#include <imago/transform.hpp>

#include "host/arrays.hpp"
#include "problem/problem.hpp"
#include "small/computation.hpp"

namespace imago::host {

/// Generated functions for the directions of a transform.
struct SmallDirections {
  std::unique_ptr<const small::SmallComputation> forward, inverse;

  const small::SmallComputation* direction(bool inverted) const {
    return inverted ? inverse.get() : forward.get();
  }
  double seconds() const;
  /// Returns true if Whole::check() has no objection. It takes less time, and may return false for
  /// arrays that are right.
  bool suits(bool inverted, const Arrays& arrays) const;
  /// Returns true if it has no objection to pointers to arrays of the right sizes.
  bool suits(bool inverted, const void* from, const void* to) const {
    const auto a = reinterpret_cast<std::uintptr_t>(from), b = reinterpret_cast<std::uintptr_t>(to);
    const std::size_t read = inverted ? spectrum_bytes : signal_bytes,
                      written = inverted ? signal_bytes : spectrum_bytes;
    const bool placed =
        placement == Placement::in_place ? a == b : a + read <= b || b + written <= a;
    return placed && direction(inverted) != nullptr && a != 0 && b != 0 &&
           (a | b) % number_bytes == 0;
  }

  std::size_t signal_bytes = 0, spectrum_bytes = 0;  ///< out of place
  std::size_t number_bytes = 4;
  Placement placement = Placement::out_of_place;
};

/// Returns nothing if there are no functions for it.
std::optional<SmallDirections> small_directions(const problem::Problem& problem);

/// Returns nothing also if a device is predicted to be faster, or the environment selects a device
/// or kernels.
std::optional<SmallDirections> preferred_small_directions(const problem::Problem& problem);

/// Returns the cached functions of a packed transform in one direction, or makes them; null if a
/// device computes it.
std::shared_ptr<const small::SmallComputation> kept_small(const Transform& transform);
/// Releases the cached functions. Copies of threads are released at their next call.
void drop_kept_small();
/// Returns a number that drop_kept_small() changes.
std::uint64_t small_generation() noexcept;

}  // namespace imago::host

namespace imago {

/// The part of a HostPlan for other modules.
struct HostPlanParts {
  /// Returns the functions of a plan; null if a device computes.
  static const host::SmallDirections* small_of(const HostPlan& plan);
};

}  // namespace imago
