// This file describes a profile: what was measured on one device, and the parameters that were
// fastest there for each class of problems. Plain values; files are in profile/file.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "profile/problem_class.hpp"

namespace imago::profile {

/// Number of the file's form. A reader takes its own number only.
inline constexpr unsigned kSchema = 1;
/// Names the kernels that parameters choose among. Raised when they change so much that what was
/// tuned before means nothing any more: profiles of another generator are stale.
inline constexpr std::string_view kGenerator = "1";

/// What a profile knows its device by. Printable ASCII only, so that it survives a file.
struct Device {
  std::string name, vendor, driver, platform, architecture;
  device::Type type = device::Type::gpu;
  friend bool operator==(const Device&, const Device&) = default;
};

/// Parameters that were the fastest for a class of problems.
struct Entry {
  ProblemClass problem;
  Parameters parameters;
  double seconds = 0;       ///< one call took, measured
  std::string driver = {};  ///< that it was measured with; empty: the profile's
  friend bool operator==(const Entry&, const Entry&) = default;
};

struct Profile {
  Device device;
  std::string generator = std::string(kGenerator);
  device::Rates rates;         ///< measured once; zero: not measured
  std::vector<Entry> entries;  ///< each class once
  friend bool operator==(const Profile&, const Profile&) = default;
};

Device device_of(const device::Facts& facts);
/// Whether both are one hardware through one platform, whatever its driver's version.
bool same_device(const Device& a, const Device& b);
/// The name of a device's file, from its name and platform: "nvidia-h200-nvidia-cuda.json".
std::string file_name(const Device& device);
std::string file_name(const device::Facts& facts);

/// One profile of what two runs measured. Of a class that both hold, `newer` counts where it was
/// measured with another driver or is faster; what only `older` holds stays, marked with its
/// driver. Of another device or generator nothing of `older` stays. A rate that `newer` did not
/// measure is taken from `older`.
Profile merge(const Profile& older, const Profile& newer);

}  // namespace imago::profile
