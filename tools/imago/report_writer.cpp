// This file prints the reports of commands.
#include "report_writer.hpp"

#include "formats/file.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace imago::command {

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
  as_json ? fmt::print(to, "{}\n", dump(json)) : print_report(text, to);
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

std::string dump(const nlohmann::json& json) {
  const auto text = [&](bool ascii) {
    return json.dump(2, ' ', ascii, nlohmann::json::error_handler_t::replace);
  };
  // JSON itself escapes only the first 32 control characters.
  const std::string plain = text(false);
  return printable(plain, "\n") == plain ? plain : text(true);
}

}  // namespace imago::command
