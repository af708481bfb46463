// This file says which words a profile may use: those of the public enumerations but for what
// profiles do not know, and those of what only they speak of.
#pragma once

#include <array>
#include <string>

#include "base/errors.hpp"
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

/// The word of a value. Throws ProfileError where it has none.
template <class Words, class Value>
std::string written(const Words& words, Value value) {
  const auto text = word_of(words, value);
  if (text.empty()) {
    base::profile_error("a profile", "to be written",
                        "the value " + std::to_string(static_cast<int>(value)) +
                            " of an enumeration has no word in a profile (native twiddles are for "
                            "callers only)");
  }
  return std::string(text);
}

}  // namespace imago::profile
