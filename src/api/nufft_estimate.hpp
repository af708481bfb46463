// This file predicts what nonuniform transforms of types 1 and 2 need, without building a kernel.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <imago/nufft.hpp>

#include "device/facts.hpp"
#include "nufft/design.hpp"

namespace imago::api {

/// Returns the number of modes of a member of the batch.
std::size_t number_of_modes(const NufftTransform& transform);
/// Returns the number of members of the batch that are computed at a time.
std::size_t members_at_once(const NufftTransform& transform, const nufft::Design& design,
                            const device::Facts& facts);
/// Returns the bytes of the grids of some members, and of centred modes if the caller's are not.
std::size_t grid_memory_bytes(const NufftTransform& transform, const nufft::Design& design,
                              std::size_t members);

/// Returns the design of a plan.
nufft::Design nufft_design(const NufftTransform& transform, const device::Facts& facts,
                           const Options& options, nufft::Modes modes = nufft::Modes::all);

/// Points that are sorted together, and the parts of bins that have several parts.
struct PointsUse {
  std::size_t count = 0, slots = 0;
};
/// Returns the expected points of a transform, as many in each bin: those of all members, or of
/// each `members` that are computed at a time if they have points of their own.
std::vector<PointsUse> evenly_spread(const NufftTransform& transform, const nufft::Design& design,
                                     std::size_t members);

/// The choices of a plan, borrowed during a call.
struct NufftChoices {
  const NufftTransform& transform;
  const nufft::Design& design;
  const device::Facts& facts;
  const Options& options;  ///< options of the transforms of the grid
};
/// Predicts for points in parts; if members have points of their own, for those of each part and of
/// the members that are computed at a time.
NufftEstimate nufft_estimate(const NufftChoices& choices, std::span<const PointsUse> parts);
/// Returns the lines of NufftPlan::describe() about an estimate.
std::string text_of(const NufftEstimate& estimate, const NufftTransform& transform);

}  // namespace imago::api
