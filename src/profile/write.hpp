// This file writes a profile as JSON text. tuning/profile.schema.json describes the format.
#pragma once

#include <string>

#include "profile/profile.hpp"

namespace imago::profile {

/// Writes one line per entry, for readable diffs. Throws ProfileError for values that parse() would
/// reject.
std::string to_text(const Profile& profile);

}  // namespace imago::profile
