// This file names the processor of this machine.
#pragma once

#include <filesystem>
#include <string>

namespace imago::machine {

/// Returns the model's name from /proc/cpuinfo. Arm Linux has none there: returns the board's name
/// from the device tree instead, with the numbers of the processor's implementer and part. Returns
/// "unknown" without all of these. `root` is the folder that contains proc.
std::string processor(const std::filesystem::path& root = "/");

}  // namespace imago::machine
