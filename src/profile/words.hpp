// This file lists the words that a profile may use. They are those of the public enumerations
// without the values that profiles do not know, and some that only profiles use.
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

/// A precision, and for f64 whether it is computed in pairs of f32.
struct Arithmetic {
  Precision precision = Precision::f32;
  bool pairs = false;
  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;
};
inline constexpr auto kArithmetics =
    std::to_array<base::Word<Arithmetic>>({{"f16", {Precision::f16}},
                                           {"f32", {Precision::f32}},
                                           {"f64", {Precision::f64}},
                                           {"f64_pairs", {Precision::f64, true}}});

/// The kinds of transforms in profiles.
inline constexpr auto kKinds = base::without(problem::kKinds, Kind::identity);
/// The twiddles without `native`, which is less accurate: only the caller may choose it, not a
/// profile.
inline constexpr auto kTwiddles = base::without(problem::kTwiddles, Twiddles::native);
/// True for packed: batch elements follow each other without a gap, in input and output.
inline constexpr auto kLayouts =
    std::to_array<base::Word<bool>>({{"packed", true}, {"spaced", false}});
inline constexpr auto kTypes =
    std::to_array<base::Word<device::Type>>({{"cpu", device::Type::cpu},
                                             {"gpu", device::Type::gpu},
                                             {"accelerator", device::Type::accelerator}});

/// Returns the word of a value. Throws ProfileError if there is none.
template <class Words, class Value>
std::string written(const Words& words, Value value) {
  const auto text = word_of(words, value);
  if (text.empty()) {
    base::profile_error("a profile", "writing it",
                        "profiles cannot hold the value " +
                            std::to_string(static_cast<int>(value)) +
                            " of an enumeration (for example native twiddles)");
  }
  return std::string(text);
}

}  // namespace imago::profile
