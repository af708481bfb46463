// This file looks up tuned parameters in profiles. The caller decides what to do if there are none.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/work.hpp"
#include "profile/profile.hpp"
#include "profile/shipped.hpp"
#include "profile/store.hpp"

namespace imago::profile {

/// Match level: how closely a profile's device matches. Each level but the last implies the
/// following ones if it can.
enum class Rung {
  device_and_driver,
  device,        ///< with any driver
  kindred,       ///< equal type, vendor and architecture
  architecture,  ///< equal type and architecture, if that is known
  vendor         ///< equal type and vendor
};
const char* words(Rung rung);  ///< "device and driver"

/// The search path of profiles, best first.
struct Sources {
  std::vector<std::filesystem::path> folders;
  const std::vector<Shipped>* shipped = nullptr;
  /// System folders, searched between `folders` and `shipped`. They count only if they belong to
  /// root or the user and nobody else can write them.
  std::vector<std::filesystem::path> system = {};
};
/// Returns the usual search path: `directory` (if not empty), $IMAGO_PROFILE_DIR, the user's
/// folder, the system's folders and the shipped profiles. The system's folders are `imago` in each
/// of $XDG_CONFIG_DIRS (default /etc/xdg), then `imago/profiles` in each of $XDG_DATA_DIRS (default
/// /usr/local/share and /usr/share).
Sources usual_sources(const std::filesystem::path& directory);
/// Returns the first profile of exactly this device on the usual search path; null if there is
/// none.
SourcePointer source_of(const device::Facts& facts);
/// Returns the folder that a tuner writes to: $IMAGO_PROFILE_DIR, else $XDG_CONFIG_HOME/imago, else
/// ~/.config/imago; empty if no variable is set.
std::filesystem::path home_folder();

struct Found {
  ProblemClass problem;  ///< problem of the entry; its batch may differ from the requested one
  Parameters parameters;
  double seconds = 0;
  Rung rung = Rung::device_and_driver;
  SourcePointer source;

  /// Returns "profile <file>, rung <words>, class <key>".
  std::string text() const;
};

/// Looks up parameters in the profiles as they were on disk at construction, so that all look-ups
/// of one plan use the same files.
class Ladder {
 public:
  /// Logs once if a file claims to be for this device but is not.
  Ladder(const device::Facts& facts, const Sources& sources);

  /// Searches by match level, then in the order of the sources. In each source it tries the exact
  /// class, then the nearest batch (by ratio; of two the smaller) that is as much work for this
  /// device (device::Work). Files of a folder are tried by name. If no source has the class,
  /// repeats the search for the other placement.
  std::optional<Found> find(const ProblemClass& problem) const;
  /// Returns the measured rates of exactly this device, from the first profile that has them with
  /// its driver, then with another driver.
  std::optional<device::Rates> rates() const;
  /// Returns the rates of this device, with any driver, that have the highest copy rate; zero if
  /// there are none.
  device::Rates fastest_rates() const;
  /// Returns the profiles that the device may use, each with its closest match level, in the order
  /// of the sources.
  std::vector<std::pair<SourcePointer, Rung>> usable() const;

 private:
  std::optional<Found> find(const std::vector<SourcePointer>& folder, const ProblemClass& problem,
                            Rung rung) const;
  bool fits(const Profile& profile, Rung rung) const;
  device::Work work_of(const ProblemClass& problem) const;

  device::Facts facts_;
  Device device_;
  std::vector<std::vector<SourcePointer>> sources_;
};

}  // namespace imago::profile
