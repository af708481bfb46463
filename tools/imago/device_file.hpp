// This file reads device models (tuning/devices/*.json, tuning/device.schema.json).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/facts.hpp"

namespace imago::command {

/// A device model from a file.
struct Described {
  device::Facts facts;
  /// Sources of the figures, such as "rates.flops" with a text for readers. "compute_unit" is the
  /// source of all figures in it.
  std::vector<std::pair<std::string, std::string>> sources;
  std::vector<std::string> estimates;  ///< figures that are neither published nor measured
};

/// Throws ProfileError with `origin`, the place and the expected value. Missing members keep their
/// defaults.
Described parse_device(std::string_view text, const std::string& origin);

/// Reads a file. Throws as parse_device(), and FormatError if the file is unreadable.
Described read_device(const std::string& path);

}  // namespace imago::command
