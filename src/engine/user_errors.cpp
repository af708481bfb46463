// This file parses compilers' logs.
#include "engine/user_errors.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "base/errors.hpp"
#include "blocks/user_functions.hpp"

namespace imago::engine {
namespace {

// Words in lines of compilers' logs that begin a message.
constexpr const char* kMessages[] = {"error:", "warning:", "note:", "error generated",
                                     "errors generated"};

/// A line of a user's text.
struct TextLine {
  std::string text;  ///< name of the text
  std::size_t number = 0;
};

/// Name in #line of all code that is not a user's text.
constexpr std::string_view kOwn = "imago";

/// Removes the number at the start of a text, and returns it. Returns nullopt if there is none, or
/// if it overflows.
std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Parses a line `#line 12 "name"`.
std::optional<TextLine> line_directive(std::string_view line) {
  constexpr std::string_view kBegin = "#line ", kQuote = " \"";
  if (!line.starts_with(kBegin)) return std::nullopt;
  line.remove_prefix(kBegin.size());
  const auto number = take_number(line);
  if (!number) return std::nullopt;
  if (!line.starts_with(kQuote) || line.size() == kQuote.size() || line.back() != '"')
    return std::nullopt;
  line = line.substr(kQuote.size(), line.size() - kQuote.size() - 1);
  if (line.find('"') != line.npos) return std::nullopt;
  return TextLine{std::string(line), *number};
}

/// A line `label:12:said` of a compiler's log.
struct LogLine {
  std::string_view label, said;
  std::size_t line = 0;
};
std::optional<LogLine> log_line_of(std::string_view text) {
  const std::size_t colon = text.find_first_of(" :");
  if (colon == text.npos || text[colon] != ':') return std::nullopt;
  std::string_view rest = text.substr(colon + 1);
  const auto number = take_number(rest);
  if (!number || !rest.starts_with(':')) return std::nullopt;
  return LogLine{text.substr(0, colon), rest.substr(1), *number};
}

/// Returns the user's text and line of each line of a source, counted from 1. The name of the text
/// is empty for other lines.
std::vector<TextLine> text_lines(const std::string& source) {
  std::vector<TextLine> lines(1);
  TextLine next;
  std::string line;
  std::istringstream stream(source);
  while (std::getline(stream, line)) {
    auto named = line_directive(line);
    lines.push_back(named ? TextLine{} : next);
    ++next.number;
    if (!named) continue;
    next = std::move(*named);
    if (next.text == kOwn) next.text.clear();
  }
  return lines;
}

/// Returns the messages of a compiler's log about a text, each starting at the text's name, with
/// the lines that they quote.
std::string lines_about(const std::string& text, const std::string& log) {
  std::string said, line;
  bool about = false;
  std::istringstream lines(log);
  while (std::getline(lines, line)) {
    const std::size_t name = line.find(text);
    const bool message =
        std::any_of(std::begin(kMessages), std::end(kMessages),
                    [&](const char* word) { return line.find(word) != std::string::npos; });
    // The compiler indents lines that it quotes.
    about = message ? name != std::string::npos : about && line.rfind(' ', 0) == 0;
    if (about) said += "\n" + line.substr(message ? name : 0);
  }
  return said;
}

/// Returns the declarations that the functions of a text must have: "'float f(float x, ...)'".
std::string prototypes_of(const std::string& text, const std::string& source) {
  constexpr std::string_view kStatic = "static ";
  const std::string label = blocks::prototype_label(text);
  std::string found, line;
  bool declares = false;
  std::istringstream stream(source);
  while (std::getline(stream, line)) {
    if (declares)
      found += (found.empty() ? "'" : " and '") +
               line.substr(kStatic.size(), line.size() - kStatic.size() - 1) + "'";
    const auto named = line_directive(line);
    declares = named && named->text == label;
  }
  return found;
}

void blame(const std::optional<kernel::Hooked>& hooked, const std::string& source,
           const std::string& log) {
  if (!hooked) return;
  for (const kernel::HookStep& step : hooked->steps) {
    const auto* access = std::get_if<kernel::Access>(&step);
    const auto* snippet = access ? &access->call : std::get_if<kernel::Snippet>(&step);
    if (!snippet || log.find(snippet->field) == std::string::npos) continue;
    base::invalid(snippet->field + ".text", "rejected by the device's compiler",
                  "it must define " + prototypes_of(snippet->field, source) +
                      lines_about(snippet->field, log));
  }
}

}  // namespace

std::string in_lines_of_texts(const std::string& source, const std::string& log) {
  const std::vector<TextLine> lines = text_lines(source);
  const auto is_known = [&](std::string_view label) {
    return label == kOwn || std::any_of(lines.begin(), lines.end(),
                                        [&](const TextLine& line) { return line.text == label; });
  };
  std::string said, line;
  std::istringstream stream(log);
  while (std::getline(stream, line)) {
    const auto found = log_line_of(line);
    if (found && !is_known(found->label) && found->line < lines.size()) {
      const TextLine& own = lines[found->line];
      if (!own.text.empty())
        line = own.text + ":" + std::to_string(own.number) + ":" + std::string(found->said);
    }
    said += line + "\n";
  }
  return said;
}

void blame_user_text(const Blueprint& blueprint, const DeviceError& error) {
  for (const Kernel& kernel : blueprint.kernels) {
    if (kernel.code.name() != error.kernel()) continue;
    const std::string source = generate(kernel).source;
    const std::string log = in_lines_of_texts(source, error.build_log());
    for (const kernel::Step& step : kernel.code.phases) {
      blame(step.in.hooked, source, log);
      blame(step.convolution.hooked, source, log);
      blame(step.out.hooked, source, log);
    }
  }
}

}  // namespace imago::engine
