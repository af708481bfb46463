// This file reads the name of the processor.
#include "machine/processor.hpp"

#include <fstream>
#include <string_view>

namespace imago::machine {
namespace {

/// Returns the value of the first line "key : value"; empty: there is no such line.
std::string value_of(const std::filesystem::path& file, std::string_view key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(':');
    if (at == std::string::npos || !line.starts_with(key)) continue;
    line.erase(line.find_last_not_of(" \t") + 1);
    const std::size_t first = line.find_first_not_of(" \t", at + 1);
    return first == std::string::npos ? "" : line.substr(first);
  }
  return {};
}

}  // namespace

std::string processor(const std::filesystem::path& root) {
  const std::filesystem::path cpuinfo = root / "proc/cpuinfo";
  if (std::string model = value_of(cpuinfo, "model name"); !model.empty()) return model;
  std::string text;
  std::getline(std::ifstream(root / "proc/device-tree/model"), text, '\0');
  const std::string part = value_of(cpuinfo, "CPU part");
  if (!part.empty()) {
    const std::string number = "CPU part " + part + " of implementer ";
    text += (text.empty() ? "" : ", ") + number + value_of(cpuinfo, "CPU implementer");
  }
  return text.empty() ? "unknown" : text;
}

}  // namespace imago::machine
