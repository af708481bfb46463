// This file reads descriptions of devices (tuning/devices/*.json, tuning/device.schema.json).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/facts.hpp"

namespace imago::command {

/// A device as a file describes it.
struct Described {
  device::Facts facts;
  /// Where figures are from: "rates.flops" and words for readers. "compute_unit" stands for all in
  /// it.
  std::vector<std::pair<std::string, std::string>> sources;
  std::vector<std::string> estimates;  ///< figures that nobody published or measured
};

/// Throws ProfileError naming `origin`, the place and what was expected. What is not there keeps
/// its default.
Described parse_device(std::string_view text, const std::string& origin);

/// The same of a file. Throws FormatError, too, where it cannot be read.
Described read_device(const std::string& path);

}  // namespace imago::command
