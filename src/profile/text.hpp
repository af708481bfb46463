// This file turns a profile into JSON text and back. tuning/profile.schema.json describes the form.
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.hpp"

namespace imago::profile {

/// Strict: throws ProfileError naming `origin` (a file), the place in it and what was expected.
/// Whether the parameters are legal for a device is the planner's to say.
Profile parse(std::string_view text, const std::string& origin);
/// An entry per line, for readable differences. Throws ProfileError for what parse() would refuse.
std::string to_text(const Profile& profile);

}  // namespace imago::profile
