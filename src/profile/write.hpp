// This file writes a profile as JSON text. tuning/profile.schema.json describes the form.
#pragma once

#include <string>

#include "profile/profile.hpp"

namespace imago::profile {

/// An entry per line, for readable differences. Throws ProfileError for what parse() would refuse.
std::string to_text(const Profile& profile);

}  // namespace imago::profile
