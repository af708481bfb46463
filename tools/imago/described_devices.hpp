// This file finds device models by name: those in tuning/devices when the command was built.
#pragma once

#include <string>
#include <vector>

#include "device_file.hpp"

namespace imago::command {

/// Returns the names for `--device-file`, such as "amd-mi300x".
std::vector<std::string> described_names();

/// Finds a device model. `wish` is a file, a name, or a part of one name between hyphens: "mi300x".
/// Throws Misuse with the existing or the matching names.
Described find_described(const std::string& wish);

}  // namespace imago::command
