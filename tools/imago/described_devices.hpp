// This file finds devices that the command knows by name although they are not here: those of
// tuning/devices, as they were when it was built.
#pragma once

#include <string>
#include <vector>

#include "device_file.hpp"

namespace imago::command {

/// Names as `--device-file` takes them: "amd-mi300x".
std::vector<std::string> described_names();

/// `wish` is a file, a name, or the end or any other part of one name between hyphens: "mi300x".
/// Throws Misuse with the names that there are, or that fit.
Described find_described(const std::string& wish);

}  // namespace imago::command
