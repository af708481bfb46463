// This file looks up tuned parameters. It answers what a profile holds, or none: what to do then is
// not its business.
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

/// How near the device of a profile is; each but the last implies the next ones where it can.
enum class Rung {
  device_and_driver,
  device,        ///< with any driver
  kindred,       ///< type, vendor and architecture are
  architecture,  ///< type and architecture are, where that is known
  vendor         ///< type and vendor are
};
const char* words(Rung rung);  ///< "device and driver"

/// Where profiles come from, best first.
struct Sources {
  std::vector<std::filesystem::path> folders;
  const std::vector<Shipped>* shipped = nullptr;
  /// The system's folders, asked between the two, where they are root's or the user's and nobody
  /// else can write them.
  std::vector<std::filesystem::path> system = {};
};
/// `directory` (where it is not empty), $IMAGO_PROFILE_DIR, the user's folder, the system's
/// (`imago` in each of $XDG_CONFIG_DIRS, else /etc/xdg; then `imago/profiles` in each of
/// $XDG_DATA_DIRS, else /usr/local/share and /usr/share), the shipped ones.
Sources usual_sources(const std::filesystem::path& directory);
/// The first profile of this very device in the usual places; null where there is none.
SourcePointer source_of(const device::Facts& facts);
/// Where a tuner writes: $IMAGO_PROFILE_DIR, else $XDG_CONFIG_HOME/imago, else ~/.config/imago;
/// empty without any.
std::filesystem::path home_folder();

struct Found {
  ProblemClass problem;  ///< the entry's: its batch may be another than the one looked for
  Parameters parameters;
  double seconds = 0;
  Rung rung = Rung::device_and_driver;
  SourcePointer source;

  /// "profile <file>, rung <words>, class <key>".
  std::string text() const;
};

/// The profiles as they are on disk when it is made: what one plan asks, it asks of the same files.
class Ladder {
 public:
  /// Tells once about a file that claims to be for this device and is not.
  Ladder(const device::Facts& facts, const Sources& sources);

  /// Rung by rung, in each the sources in order, in each the exact class, then the nearest batch
  /// (by ratio; of two the smaller) that is as much work for this device (device::Work). Files of a
  /// folder are asked by name. Where none has it, the same again for the other placement.
  std::optional<Found> find(const ProblemClass& problem) const;
  /// What was measured of this very device: the first profile that has it, with its driver, then
  /// with another.
  std::optional<device::Rates> rates() const;
  /// Returns those of this device, of any driver, that copy fastest; zero if there are none.
  device::Rates fastest_rates() const;
  /// The profiles that the device may use, each with its nearest rung, in the order of the sources.
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
