// This file reads compilers' logs.
#include "engine/user_errors.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <variant>
#include <vector>

#include "base/errors.hpp"

namespace imago::engine {
namespace {

// Lines of compilers' logs that begin something.
constexpr const char* kMessages[] = {"error:", "warning:", "note:", "error generated",
                                     "errors generated"};

/// A line of a text of the user's.
struct TextLine {
  std::string text;  ///< its name
  std::size_t number = 0;
};

/// What the lines of a source are, from 1 on; empty names: not the user's.
std::vector<TextLine> text_lines(const std::string& source) {
  static const std::regex directive("#line ([0-9]+) \"([^\"]*)\"");
  std::vector<TextLine> lines(1);
  TextLine next;
  std::string line;
  std::istringstream stream(source);
  while (std::getline(stream, line)) {
    std::smatch found;
    const bool named = std::regex_match(line, found, directive);
    lines.push_back(named ? TextLine{} : next);
    if (named)
      next = {found[2] == "imago" ? "" : found[2].str(), std::stoul(found[1])};
    else
      ++next.number;
  }
  return lines;
}

/// What a compiler's log says about a text: its messages from the text's name on, and the lines
/// that they quote.
std::string lines_about(const std::string& text, const std::string& log) {
  std::string said, line;
  bool about = false;
  std::istringstream lines(log);
  while (std::getline(lines, line)) {
    const std::size_t name = line.find(text);
    const bool message =
        std::any_of(std::begin(kMessages), std::end(kMessages),
                    [&](const char* word) { return line.find(word) != std::string::npos; });
    // Quotes of the text are indented.
    about = message ? name != std::string::npos : about && line.rfind(' ', 0) == 0;
    if (about) said += "\n" + line.substr(message ? name : 0);
  }
  return said;
}

void blame(const std::optional<plan::Hooked>& hooked, const std::string& log) {
  if (!hooked) return;
  for (const plan::HookStep& step : hooked->steps) {
    const auto* access = std::get_if<plan::Access>(&step);
    const auto* snippet = access ? &access->call : std::get_if<plan::Snippet>(&step);
    if (!snippet || log.find(snippet->field) == std::string::npos) continue;
    base::invalid(snippet->field + ".text", "not what the device's compiler takes",
                  lines_about(snippet->field, log));
  }
}

}  // namespace

std::string in_lines_of_texts(const std::string& source, const std::string& log) {
  static const std::regex place("^([^ :]*):([0-9]+):");
  const std::vector<TextLine> lines = text_lines(source);
  const auto is_known = [&](const std::string& label) {
    return label == "imago" || std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) {
             return line.text == label;
           });
  };
  std::string said, line;
  std::istringstream stream(log);
  while (std::getline(stream, line)) {
    std::smatch found;
    if (std::regex_search(line, found, place) && !is_known(found[1])) {
      const std::size_t number = std::stoul(found[2]);
      if (number < lines.size() && !lines[number].text.empty())
        line = lines[number].text + ":" + std::to_string(lines[number].number) + ":" +
               found.suffix().str();
    }
    said += line + "\n";
  }
  return said;
}

void blame_user_text(const Blueprint& blueprint, const DeviceError& error) {
  for (const Kernel& kernel : blueprint.kernels) {
    if (kernel.code.name() != error.kernel()) continue;
    const std::string log = in_lines_of_texts(generate(kernel).source, error.build_log());
    for (const plan::Step& step : kernel.code.phases) {
      blame(step.in.hooked, log);
      blame(step.convolution.hooked, log);
      blame(step.out.hooked, log);
    }
  }
}

}  // namespace imago::engine
