// This file implements the look-up of device models.
#include "described_devices.hpp"

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "command.hpp"
#include "profile/shipped.hpp"

namespace imago::command {

/// The files tuning/devices/*.json, embedded by the build.
namespace described {
const std::vector<profile::Shipped>& shipped();
}  // namespace described

namespace {

constexpr std::string_view kEnding = ".json";

std::string name_of(const profile::Shipped& file) {
  return file.name.substr(0, file.name.size() - kEnding.size());
}

/// True if `wish` is the whole name or a part of it between hyphens.
bool fits(const std::string& wish, const std::string& name) {
  const std::string parted = "-" + name + "-";
  return !wish.empty() && parted.find("-" + wish + "-") != std::string::npos;
}

bool is_file(const std::string& wish) {
  std::error_code error;
  return wish.ends_with(kEnding) || wish.find('/') != std::string::npos ||
         std::filesystem::is_regular_file(wish, error);
}

}  // namespace

std::vector<std::string> described_names() {
  std::vector<std::string> names;
  for (const auto& file : described::shipped()) names.push_back(name_of(file));
  return names;
}

Described find_described(const std::string& wish) {
  if (is_file(wish)) return read_device(wish);
  std::vector<std::string> fitting;
  const profile::Shipped* found = nullptr;
  for (const auto& file : described::shipped()) {
    const std::string name = name_of(file);
    if (name == wish) return parse_device(file.text, file.name);
    if (!fits(wish, name)) continue;
    fitting.push_back(name);
    found = &file;
  }
  if (fitting.size() == 1) return parse_device(found->text, found->name);
  if (!fitting.empty())
    throw Misuse(fmt::format("--device-file is {}, which fits several models: use {}", wish,
                             fmt::join(fitting, " or ")));
  throw Misuse(fmt::format("--device-file is {}, and must be a file or one of {}", wish,
                           fmt::join(described_names(), ", ")));
}

}  // namespace imago::command
