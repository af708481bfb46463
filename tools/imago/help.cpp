// This file implements the layout of the command's help. CLI11 breaks no lines, and lists types,
// defaults and excluded options before the description.
#include "help.hpp"

#include <cstddef>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>

namespace imago::command {
namespace {

constexpr std::size_t kHelpText = 22, kHelpColumns = 80;

/// Returns lines of at most kHelpColumns; long names have a line of their own.
std::string help_entry(const std::string& names, const std::string& description) {
  std::string lines, line = "  " + names;
  if (line.size() + 2 > kHelpText) {
    lines = line + '\n';
    line.clear();
  }
  line.resize(kHelpText, ' ');
  std::istringstream words(description);
  bool first = true;
  for (std::string word; words >> word; first = false) {
    if (!first && line.size() + 1 + word.size() > kHelpColumns) {
      lines += line + '\n';
      line.assign(kHelpText, ' ');
      first = true;
    }
    line += (first ? "" : " ") + word;
  }
  return lines + line + '\n';
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return help_entry(make_option_name(option, is_positional) + make_option_opts(option),
                      make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* app) const override {
    return help_entry(app->get_name(), app->get_description());
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();
    return option->get_type_size() == 0 || type.empty() ? "" : " " + type;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string text = option->get_description(), value = option->get_default_str();
    if (option->get_type_size() == 0 || value.empty()) return text;
    return text + (value.front() == '[' ? " " + value : " [" + value + "]");  // a list has brackets
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace imago::command
