// This file prints the reports of commands.
#include "report_writer.hpp"

#include <algorithm>
#include <sstream>

#include "formats/file.hpp"
#include "options.hpp"
#include "process.hpp"

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

Field Field::seconds(std::string path, double value) {
  return {std::move(path), value, seconds_text(value)};
}
Field Field::bytes(std::string path, std::size_t value) {
  return {std::move(path), value, bytes_text(value)};
}
Field Field::count(std::string path, std::uint64_t value, std::string_view one) {
  return {std::move(path), value, counted(value, one)};
}

void Report::value(const std::string& path, nlohmann::json value) {
  json[nlohmann::json::json_pointer("/" + path)] = std::move(value);
}

void Report::lines(std::string_view label, const std::vector<std::string>& lines) {
  for (const std::string& each : lines) line(std::exchange(label, ""), "{}", each);
}

void Report::append(const Report& other) {
  text += other.text;
  json.update(other.json);
}

void Report::part(const std::string& path, Report part) {
  text += part.text;
  value(path, std::move(part.json));
}

void Report::print(bool as_json, std::FILE* to) const {
  const auto width = terminal_width(to);
  const std::string safe = printable(text, "\n");
  fmt::print(to, "{}", as_json ? dump(json) + "\n" : width ? wrapped(safe, *width) : safe);
}

Report list_of(const std::string& path, const std::vector<std::string>& names) {
  Report report;
  for (const std::string& name : names) report.row("{}", name);
  report.value(path, names);
  return report;
}

void add_times(Report& report, double plan, double first_call, double call) {
  report.line("time", "{} (first call {}, plan made in {})", Field::seconds("seconds/call", call),
              Field::seconds("seconds/first_call", first_call),
              Field::seconds("seconds/plan", plan));
}

void add_file(Report& report, std::string_view label, const std::string& path,
              const std::string& file, const std::string& about) {
  if (file.empty()) return;
  report.line(label, "{}{}", Field{path, file, formats::output_name(file)},
              about.empty() ? "" : " (" + about + ")");
}

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

std::string dump(const nlohmann::json& json) {
  const auto text = [&](bool ascii) {
    return json.dump(2, ' ', ascii, nlohmann::json::error_handler_t::replace);
  };
  // JSON itself escapes only the first 32 control characters.
  const std::string plain = text(false);
  return printable(plain, "\n") == plain ? plain : text(true);
}

}  // namespace imago::command
