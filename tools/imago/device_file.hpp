// This file reads a device's description (tuning/devices/*.json).
#pragma once

#include <string>

#include "device/facts.hpp"

namespace imago::command {

/// Throws std::runtime_error, which names the file, where it cannot be read or is no such
/// description. Fields that it lacks keep their defaults; "sources" is for readers.
device::Facts read_device(const std::string& path);

}  // namespace imago::command
