// This file formats reports for terminals.
#include "terminal.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "base/text.hpp"

namespace imago::command {
namespace {

constexpr std::size_t kLabel = 11;      // columns of a label and the space after it
constexpr std::size_t kNarrowest = 20;  // below this width, lines are unchanged

/// Returns the columns of the start of a line: its label, or its spaces.
std::size_t indent_of(const std::string& line) {
  const std::size_t text = line.find_first_not_of(' ');
  const bool labelled =
      line.size() > kLabel && line[kLabel - 1] == ' ' && line[kLabel] != ' ' && text < kLabel;
  return labelled ? kLabel : std::min(text, line.size());
}

void append_wrapped(std::string& text, std::string line, std::size_t width) {
  const std::size_t indent = std::min(indent_of(line) + 2, width / 2);
  while (line.size() > width) {
    std::size_t end = line.rfind(' ', width);
    if (end == std::string::npos || end <= indent) end = line.find(' ', width);
    if (end == std::string::npos) break;
    text += line.substr(0, end) + '\n';
    line = std::string(indent, ' ') + line.substr(end + 1);
  }
  text += line + '\n';
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string wrapped(const std::string& text, std::size_t width) {
  if (width < kNarrowest) return text;
  std::string all;
  for (const std::string& line : lines_of(text)) append_wrapped(all, line, width);
  return all;
}

void print_report(const std::string& text, std::FILE* to) {
  const auto width = terminal_width(to);
  const std::string safe = base::printable(text, "\n");
  fmt::print(to, "{}", width ? wrapped(safe, *width) : safe);
}

}  // namespace imago::command
