// This file defines the reports of commands. A command describes its report once, as lines with
// values; the report is then printed as text for people, or as JSON for programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace imago::command {

/// A value for programs, and how a person reads it.
struct Field {
  std::string path;  ///< place in the JSON: "bins", or "memory/table_bytes" in an object
  nlohmann::json value;
  std::string text;

  static Field seconds(std::string path, double value);
  static Field bytes(std::string path, std::size_t value);
  /// Returns a count of things, such as "3 tones".
  static Field count(std::string path, std::uint64_t value, std::string_view one);
  /// Returns a number in a format such as "{:.2e}".
  static Field number(std::string path, double value, fmt::format_string<const double&> format) {
    return {std::move(path), value, fmt::format(format, std::as_const(value))};
  }
  /// Returns a word, or a number in its shortest form.
  template <class Value>
  static Field plain(std::string path, const Value& value) {
    return {std::move(path), value, base::printable(fmt::format("{}", value))};
  }
};

/// Returns what a line shows of a part: a field's text, or the part itself.
template <class Part>
const auto& shown(const Part& part) {
  if constexpr (std::is_same_v<Part, Field>)
    return part.text;
  else
    return part;
}
template <class Part>
using Shown = decltype(shown(std::declval<const Part&>()));

struct Report {
  std::string text;
  nlohmann::json json = nlohmann::json::object();

  /// Adds a value that only programs read.
  void value(const std::string& path, nlohmann::json value);
  /// Adds a line of text, and the values of those parts that are fields.
  template <class... Parts>
  void row(fmt::format_string<Shown<Parts>...> format, const Parts&... parts) {
    text += fmt::format(format, shown(parts)...) + '\n';
    (add(parts), ...);
  }
  /// Adds a line with a label, or without one below the text of the line before.
  template <class... Parts>
  void line(std::string_view label, fmt::format_string<Shown<Parts>...> format,
            const Parts&... parts) {
    text += fmt::format("{:<10} ", label);
    row(format, parts...);
  }
  /// Adds lines of text, of which the first has the label.
  void lines(std::string_view label, const std::vector<std::string>& lines);
  /// Adds the lines and the values of another report.
  void append(const Report& other);
  /// Adds a part of the report, which becomes an object.
  void part(const std::string& path, Report part);
  /// Adds an array with the report of each element.
  template <class Elements, class Describe>
  void rows(const std::string& path, const Elements& elements, const Describe& describe) {
    auto list = nlohmann::json::array();
    for (const auto& each : elements) {
      Report row = describe(each);
      text += row.text;
      list.push_back(std::move(row.json));
    }
    value(path, std::move(list));
  }

  /// Prints the report. Text is wrapped if the output is a terminal.
  void print(bool as_json, std::FILE* to = stdout) const;

 private:
  template <class Part>
  void add(const Part& part) {
    if constexpr (std::is_same_v<Part, Field>) value(part.path, part.value);
  }
};

/// Returns a report of names, each on a line.
Report list_of(const std::string& path, const std::vector<std::string>& names);
/// Adds the times of a plan and its calls.
void add_times(Report& report, double plan, double first_call, double call);
/// Adds a written file, unless its name is empty.
void add_file(Report& report, std::string_view label, const std::string& path,
              const std::string& file, const std::string& about = {});

std::vector<std::string> lines_of(const std::string& text);
/// Wraps lines that are longer than `width`. They continue below their text, because reports have
/// labels in the first eleven columns. Words are not cut.
std::string wrapped(const std::string& text, std::size_t width);
/// Returns JSON as text; replaces invalid UTF-8, which drivers may use in names.
std::string dump(const nlohmann::json& json);

}  // namespace imago::command
