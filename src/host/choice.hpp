// This file chooses how a direction of a transform of host arrays is computed.
#pragma once

#include <cstddef>
#include <optional>

#include <imago/host_plan.hpp>

#include "host/arrays.hpp"
#include "host/passes.hpp"

namespace imago::host {

/// The passes of each direction, and the transforms of their pieces.
struct Schedules {
  /// Throws as HostPlan's constructor.
  Schedules(const Pool& pool, const Whole& whole, const HostOptions& options);

  /// Calls each(shape, times) for the plans that a call needs: it computes `times` pieces by this
  /// one. If one device can compute the whole array, omits the plans of the pieces, which are
  /// rarely used.
  template <class Each>
  void for_each_plan(bool inverse, std::size_t devices, Each each) const {
    const auto& schedule = directions[inverse];
    if (!schedule) return;
    const bool is_whole = schedule->whole && (devices == 1 || schedule->passes.empty());
    if (schedule->whole) each(schedule->whole->shape, is_whole ? 1 : 0);
    if (is_whole) return;
    for (const HostPass& pass : schedule->passes) {
      for (const Pieces::Block& block : pass.pieces.blocks()) {
        for (const Piece& piece : block.pattern) each(piece.shape, block.times);
      }
    }
  }

  Budget budget;  ///< for the devices that get copies; if none does, for all devices
  std::optional<PassSchedule> directions[2];
  Shapes shapes;

 private:
  /// Chooses the passes of a direction. Throws Unsupported if no way fits the limits.
  PassSchedule choose(const Whole& whole, bool inverse, bool leave_gaps);

  bool in_callers_memory_ = true;  ///< true if all devices work in the caller's memory (zero-copy)
};

}  // namespace imago::host
