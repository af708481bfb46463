// This file is the form that parameters have in JSON, in profiles and in recipes.
#pragma once

#include <nlohmann/json.hpp>

#include <imago/parameters.hpp>

namespace imago::profile {

class Node;

/// Whether native twiddles have a word: less accuracy is the caller's to ask for, never a
/// profile's.
enum class Natives { without, with };

/// What is automatic is left out. Throws ProfileError for a value without a word.
nlohmann::ordered_json json_of(const Parameters& parameters, Natives natives);

/// What is left out is automatic. Throws ProfileError as parse() does.
Parameters read_parameters(const Node& node, Natives natives);

}  // namespace imago::profile
