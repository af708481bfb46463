// This file reads JSON text into a tree within limits, so that a hostile file costs no more than
// the largest regular one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace imago::profile {

inline constexpr std::size_t kMostBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMostElements = 100000;  ///< entries of an array
inline constexpr std::size_t kMostMembers = 64;       ///< members of an object
inline constexpr std::size_t kMostValues = 3000000;   ///< in total; a regular file of 16 MiB holds
                                                      ///< 2 million
inline constexpr std::size_t kDeepest = 10;           ///< a profile's depth is 6, a recipe's 9

/// Throws ProfileError with `origin`, the place (a byte or a JSON pointer) and the expected input,
/// also for a duplicate member. The limits hold while the tree grows.
nlohmann::json parse_tree(std::string_view text, const std::string& origin);

/// Returns `text` for a message, printable and short.
std::string shown(std::string_view text);

}  // namespace imago::profile
