// This file reads a profile from JSON text. tuning/profile.schema.json describes the format.
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.hpp"

namespace imago::profile {

class Node;

/// Parses strictly: throws ProfileError with `origin` (a file), the place in it and the expected
/// input. The planner checks later that the parameters are legal for a device.
Profile parse(std::string_view text, const std::string& origin);

/// Reads the "rates" of a profile or of a device model; throws as parse() does.
device::Rates read_rates(const Node& node);

}  // namespace imago::profile
