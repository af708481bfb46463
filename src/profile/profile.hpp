// This file describes a profile: the measurements on one device, and the fastest parameters for
// each class of problems. Plain values; profile/file.hpp reads and writes the files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "profile/problem_class.hpp"

namespace imago::profile {

/// Version of the file format. A reader accepts only its own version.
inline constexpr unsigned kSchema = 1;
/// Version of the kernels that parameters choose among. Raise it if kernels change so much that old
/// tuning results are meaningless; profiles of another version are stale.
inline constexpr std::string_view kGenerator = "1";

/// Identifies the device of a profile. Printable ASCII only, so that a file preserves it.
struct Device {
  std::string name, vendor, driver, platform, architecture;
  device::Type type = device::Type::gpu;
  friend bool operator==(const Device&, const Device&) = default;
};

/// The fastest parameters of a class of problems.
struct Entry {
  ProblemClass problem;
  Parameters parameters;
  double seconds = 0;       ///< measured time of one call
  std::string driver = {};  ///< driver of the measurement; empty: the profile's
  friend bool operator==(const Entry&, const Entry&) = default;
};

struct Profile {
  Device device;
  std::string generator = std::string(kGenerator);
  device::Rates rates;         ///< measured once; zero: not measured
  std::vector<Entry> entries;  ///< at most one for each class
  friend bool operator==(const Profile&, const Profile&) = default;
};

Device device_of(const device::Facts& facts);
/// True if both are the same hardware on the same platform; driver versions may differ.
bool same_device(const Device& a, const Device& b);
/// Returns the file name of a device, from its name and platform: "nvidia-h200-nvidia-cuda.json".
std::string file_name(const Device& device);
std::string file_name(const device::Facts& facts);

/// Merges two profiles. If both have an entry of a class, `newer` wins if its driver is another or
/// if it is faster. Entries that only `older` has are kept, marked with their driver. If device or
/// generator differ, nothing of `older` is kept. Rates that `newer` did not measure come from
/// `older`.
Profile merge(const Profile& older, const Profile& newer);

}  // namespace imago::profile
