// This file says which words a profile may use: those of the public enumerations but for what
// profiles do not know, and those of what only they speak of.
#pragma once

#include <array>

#include "device/facts.hpp"
#include "problem/words.hpp"

namespace imago::profile {

using base::word_of;
using problem::kAlgorithms;
using problem::kExchanges;
using problem::kLaneAxes;
using problem::kLaunches;
using problem::kMappings;
using problem::kPlacements;
using problem::kPrecisions;

/// Those of transforms that profiles know.
inline constexpr auto kKinds = base::without(problem::kKinds, Kind::identity);
/// Without `native`: less accuracy is the caller's to ask for, never a profile's.
inline constexpr auto kTwiddles = base::without(problem::kTwiddles, Twiddles::native);
/// Whether batch members follow each other without a gap, on both sides.
inline constexpr auto kLayouts =
    std::to_array<base::Word<bool>>({{"packed", true}, {"spaced", false}});
inline constexpr auto kTypes =
    std::to_array<base::Word<device::Type>>({{"cpu", device::Type::cpu},
                                             {"gpu", device::Type::gpu},
                                             {"accelerator", device::Type::accelerator}});

}  // namespace imago::profile
