// This file makes names of devices and merges profiles.
#include "profile/profile.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace imago::profile {
namespace {

constexpr std::size_t kLongestText = 256, kLongestName = 120;

/// Replaces all but printable ASCII. Drivers use any characters in names, but JSON needs UTF-8, and
/// a comparison needs one spelling.
std::string printable(const std::string& text) {
  std::string clean = text.substr(0, kLongestText);
  for (char& c : clean) c = c >= ' ' && c <= '~' ? c : '?';
  return clean;
}

const std::string& driver_of(const Profile& profile, const Entry& entry) {
  return entry.driver.empty() ? profile.device.driver : entry.driver;
}

/// Returns the entry for the profile `whole`, whose driver may differ.
Entry moved(const Profile& from, const Entry& entry, const Profile& whole) {
  Entry result = entry;
  const std::string& driver = driver_of(from, entry);
  result.driver = driver == whole.device.driver ? std::string() : driver;
  return result;
}

void fill(double& rate, double other) {
  if (rate == 0) rate = other;
}

device::Rates merge(const device::Rates& older, const device::Rates& newer) {
  device::Rates merged = newer;
  fill(merged.copy_bytes, older.copy_bytes);
  fill(merged.local_bytes, older.local_bytes);
  fill(merged.flops, older.flops);
  fill(merged.flops_f64, older.flops_f64);
  fill(merged.launch_seconds, older.launch_seconds);
  if (merged.segments == decltype(merged.segments){}) merged.segments = older.segments;
  return merged;
}

}  // namespace

Device device_of(const device::Facts& facts) {
  return {printable(facts.name),     printable(facts.vendor),       printable(facts.driver),
          printable(facts.platform), printable(facts.architecture), facts.type};
}

bool same_device(const Device& a, const Device& b) {
  return a.name == b.name && a.vendor == b.vendor && a.platform == b.platform && a.type == b.type;
}

std::string file_name(const Device& device) {
  std::string slug;
  for (const char c : device.name + " " + device.platform) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte)) {
      slug += static_cast<char>(std::tolower(byte));
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  slug.resize(std::min(slug.size(), kLongestName));
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return (slug.empty() ? "device" : slug) + ".json";
}

std::string file_name(const device::Facts& facts) { return file_name(device_of(facts)); }

Profile merge(const Profile& older, const Profile& newer) {
  if (!same_device(older.device, newer.device) || older.generator != newer.generator) return newer;
  Profile merged{newer.device, newer.generator, merge(older.rates, newer.rates), {}};
  std::map<ProblemClass, Entry> entries;
  for (const Entry& entry : older.entries) {
    entries.insert_or_assign(entry.problem, moved(older, entry, merged));
  }
  for (const Entry& entry : newer.entries) {
    const Entry candidate = moved(newer, entry, merged);
    const auto [at, added] = entries.try_emplace(entry.problem, candidate);
    if (added) continue;
    const bool other_driver = at->second.driver != candidate.driver;
    if (other_driver || candidate.seconds < at->second.seconds) at->second = candidate;
  }
  for (auto& [problem, entry] : entries) merged.entries.push_back(std::move(entry));
  return merged;
}

}  // namespace imago::profile
