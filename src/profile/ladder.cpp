// This file searches the profiles by match level.
#include "profile/ladder.hpp"

#include <algorithm>
#include <array>

#include "base/log_once.hpp"
#include "base/own_folder.hpp"
#include "base/system.hpp"

namespace imago::profile {
namespace {

namespace fs = std::filesystem;

constexpr std::array kRungs{Rung::device_and_driver, Rung::device, Rung::kindred,
                            Rung::architecture, Rung::vendor};

/// True if only root and the user can write the folder. Profiles cannot make plans wrong, but they
/// can make them slow.
bool is_trusted(const fs::path& path) {
  const base::OwnFolder folder(path, base::Owner::user_or_root);
  if (!folder.why().empty())
    base::warn_once("profiles in " + path.string() + " are not read: " + folder.why());
  return static_cast<bool>(folder);
}

/// Returns the distance of two batches, which is their ratio, at least 1.
long double apart(std::uint64_t a, std::uint64_t b) {
  return static_cast<long double>(std::max(a, b)) / static_cast<long double>(std::min(a, b));
}

/// True if `a` is nearer to `batch` than `b`.
bool nearer(std::uint64_t batch, const Entry& a, const Entry& b) {
  const auto to_a = apart(batch, a.problem.batch), to_b = apart(batch, b.problem.batch);
  return to_a != to_b ? to_a < to_b : a.problem.batch < b.problem.batch;
}

}  // namespace

const char* words(Rung rung) {
  switch (rung) {
    case Rung::device_and_driver:
      return "device and driver";
    case Rung::device:
      return "device";
    case Rung::kindred:
      return "vendor and architecture";
    case Rung::architecture:
      return "architecture";
    case Rung::vendor:
      break;
  }
  return "vendor";
}

fs::path home_folder() {
  const fs::path wish = base::folder_from_environment("IMAGO_PROFILE_DIR", "");
  return wish.empty() ? base::user_profile_folder() : wish;
}

Sources usual_sources(const fs::path& directory) {
  Sources sources;
  for (const auto& folder : {directory, base::folder_from_environment("IMAGO_PROFILE_DIR", ""),
                             base::user_profile_folder()}) {
    if (!folder.empty()) sources.folders.push_back(folder);
  }
  sources.system = base::machine_profile_folders();
  sources.shipped = &shipped();
  return sources;
}

namespace {

/// Returns the readable profiles of the sources, each folder with its files by name.
std::vector<std::vector<SourcePointer>> read_all(const Sources& sources) {
  std::vector<std::vector<SourcePointer>> read;
  for (const auto& folder : sources.folders) read.push_back(read_folder(folder));
  for (const auto& folder : sources.system)
    if (is_trusted(folder)) read.push_back(read_folder(folder));
  if (sources.shipped) read.push_back(read_shipped(*sources.shipped));
  return read;
}

}  // namespace

SourcePointer source_of(const device::Facts& facts) {
  const Device device = device_of(facts);
  for (const auto& folder : read_all(usual_sources({}))) {
    for (const auto& source : folder)
      if (source->profile() && same_device(source->profile()->device, device)) return source;
  }
  return nullptr;
}

std::string Found::text() const {
  return "profile " + source->name() + ", rung " + words(rung) + ", class " + problem.key();
}

Ladder::Ladder(const device::Facts& facts, const Sources& sources)
    : facts_(facts), device_(device_of(facts)), sources_(read_all(sources)) {
  for (const auto& folder : sources_) {
    for (const auto& source : folder) {
      // A folder may hold profiles of many devices, each under its own file name.
      if (!source->profile() || fits(*source->profile(), Rung::vendor) ||
          fits(*source->profile(), Rung::architecture))
        continue;
      const Device& other = source->profile()->device;
      const bool named_so = source->file() == file_name(other);
      if (!named_so)
        source->complain("it is for the device " + other.name + " (" + other.platform + ")");
    }
  }
}

bool Ladder::fits(const Profile& profile, Rung rung) const {
  const Device& other = profile.device;
  switch (rung) {
    case Rung::device_and_driver:  // each entry's driver is checked later
    case Rung::device:
      return same_device(other, device_);
    case Rung::kindred:
      return fits(profile, Rung::architecture) && fits(profile, Rung::vendor);
    case Rung::architecture:
      return other.type == device_.type && !other.architecture.empty() &&
             other.architecture == device_.architecture;
    case Rung::vendor:
      break;
  }
  // A CPU's architecture is its vector width; parameters for one width do not suit another.
  const bool other_width =
      device_.type == device::Type::cpu && other.architecture != device_.architecture;
  return other.type == device_.type && other.vendor == device_.vendor && !other_width;
}

device::Work Ladder::work_of(const ProblemClass& problem) const {
  return device::work_of(problem.work(), facts_);
}

std::optional<Found> Ladder::find(const ProblemClass& problem) const {
  // The kernels are the same in place and out of place, so the tuned parameters apply to both.
  ProblemClass elsewhere = problem;
  elsewhere.placement =
      problem.placement == Placement::in_place ? Placement::out_of_place : Placement::in_place;
  for (const auto& wanted : {problem, elsewhere}) {
    for (const Rung rung : kRungs) {
      for (const auto& folder : sources_) {
        if (auto found = find(folder, wanted, rung)) return found;
      }
    }
  }
  return std::nullopt;
}

std::optional<Found> Ladder::find(const std::vector<SourcePointer>& folder,
                                  const ProblemClass& problem, Rung rung) const {
  const Entry* best = nullptr;
  SourcePointer from;
  for (const auto& source : folder) {
    if (!source->profile() || !fits(*source->profile(), rung)) continue;
    for (const Entry* entry : source->entries(problem)) {
      const std::string& driver =
          entry->driver.empty() ? source->profile()->device.driver : entry->driver;
      if (rung == Rung::device_and_driver && driver != device_.driver) continue;
      if (work_of(entry->problem) != work_of(problem)) continue;
      if (best && !nearer(problem.batch, *entry, *best)) continue;
      best = entry;
      from = source;
    }
  }
  if (!best) return std::nullopt;
  return Found{best->problem, best->parameters, best->seconds, rung, from};
}

std::vector<std::pair<SourcePointer, Rung>> Ladder::usable() const {
  std::vector<std::pair<SourcePointer, Rung>> found;
  for (const auto& folder : sources_) {
    for (const auto& source : folder) {
      if (!source->profile()) continue;
      const bool same_driver = source->profile()->device.driver == device_.driver;
      const auto rung = std::find_if(kRungs.begin(), kRungs.end(), [&](Rung each) {
        return fits(*source->profile(), each) && (same_driver || each != Rung::device_and_driver);
      });
      if (rung != kRungs.end()) found.emplace_back(source, *rung);
    }
  }
  return found;
}

std::optional<device::Rates> Ladder::rates() const {
  for (const bool same_driver : {true, false}) {
    for (const auto& folder : sources_) {
      for (const auto& source : folder) {
        const auto& profile = source->profile();
        if (!profile || !fits(*profile, Rung::device) || profile->rates == device::Rates{})
          continue;
        if (same_driver && profile->device.driver != device_.driver) continue;
        return profile->rates;
      }
    }
  }
  return std::nullopt;
}

device::Rates Ladder::fastest_rates() const {
  device::Rates fastest;
  for (const auto& folder : sources_) {
    for (const auto& source : folder) {
      const auto& profile = source->profile();
      if (profile && fits(*profile, Rung::device) && profile->rates.copy_bytes > fastest.copy_bytes)
        fastest = profile->rates;
    }
  }
  return fastest;
}

}  // namespace imago::profile
