// This file reads a device's description (tuning/devices/*.json).
#pragma once

#include <string>

#include "device/facts.hpp"

namespace imago::command {

/// Throws nlohmann::json::exception where the file is no such description, std::runtime_error where
/// it cannot be read. Fields that it lacks keep their defaults; "sources" is for readers.
device::Facts read_device(const std::string& path);

}  // namespace imago::command
