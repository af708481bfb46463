// This file implements what all systems have in common.
#include "base/system.hpp"

#include <sstream>

namespace imago::base {
namespace {

namespace fs = std::filesystem;

#if defined(_WIN32)
constexpr char kSeparator = ';';
#else
constexpr char kSeparator = ':';
#endif

}  // namespace

fs::path path_of(const std::string& text) {
  return fs::path(reinterpret_cast<const char8_t*>(text.c_str()));
}

std::string text_of(const fs::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

fs::path folder_from_environment(const char* name, const char* below) {
  const auto value = environment(name);
  if (!value || value->empty()) return {};
  return *below ? path_of(*value) / below : path_of(*value);
}

std::vector<fs::path> folders_from_environment(const char* name, const std::string& otherwise) {
  const auto value = environment(name);
  std::istringstream list(value && !value->empty() ? *value : otherwise);
  std::vector<fs::path> folders;
  for (std::string each; std::getline(list, each, kSeparator);) folders.push_back(path_of(each));
  return folders;
}

}  // namespace imago::base
