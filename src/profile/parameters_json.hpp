// This file converts parameters to and from JSON, for profiles and recipes.
#pragma once

#include <nlohmann/json.hpp>

#include <imago/parameters.hpp>

namespace imago::profile {

class Node;

/// True if native twiddles are allowed. They are less accurate, so only the caller may choose them,
/// not a profile.
enum class Natives { without, with };

/// Omits automatic values. Throws ProfileError for a value without a word.
nlohmann::ordered_json json_of(const Parameters& parameters, Natives natives);

/// Omitted members become automatic. Throws ProfileError as parse() does.
Parameters read_parameters(const Node& node, Natives natives);

}  // namespace imago::profile
