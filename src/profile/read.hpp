// This file reads a profile from JSON text. tuning/profile.schema.json describes the form.
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.hpp"

namespace imago::profile {

class Node;

/// Strict: throws ProfileError naming `origin` (a file), the place in it and what was expected.
/// Whether the parameters are legal for a device is the planner's to say.
Profile parse(std::string_view text, const std::string& origin);

/// The "rates" of a profile, which descriptions of devices have, too; throws as parse() does.
device::Rates read_rates(const Node& node);

}  // namespace imago::profile
