// This file is `imago report`: it prints the information about the program and the machine that a
// bug report needs.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report_facts.hpp"

namespace imago::command {
namespace {

void write(std::string& text, const Json& value, std::size_t depth);

/// Returns a value for the same line as its name.
std::string plain(const Json& value) {
  if (value.is_string()) return printable(value.get<std::string>());
  return value.empty() ? "none" : value.dump();
}

void write_line(std::string& text, const std::string& name, const Json& value, std::size_t depth) {
  const std::string indent(2 * depth, ' ');
  if (!value.is_structured() || value.empty()) {
    text += fmt::format("{}{:<{}} {}\n", indent, printable(name), 24 - indent.size(), plain(value));
    return;
  }
  text += indent + printable(name) + "\n";
  write(text, value, depth + 1);
}

void write(std::string& text, const Json& value, std::size_t depth) {
  if (value.is_object()) {
    for (const auto& [name, each] : value.items()) write_line(text, name, each, depth);
    return;
  }
  std::size_t number = 0;
  for (const Json& each : value) {
    if (each.is_structured())
      write_line(text, std::to_string(number++), each, depth);
    else
      text += std::string(2 * depth, ' ') + plain(each) + "\n";
  }
}

int run(bool json) {
  Progress progress;
  progress.show_wait("Querying the devices");  // kernels are compiled for new devices
  const Json facts = without_names(report_facts(), names_of_this_process());
  progress.clear();
  fmt::print("{}", json ? facts.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"
                        : report_text(facts));
  return kSuccess;
}

}  // namespace

std::string report_text(const Json& facts) {
  std::string text;
  write(text, facts, 0);
  return text;
}

Command report_command(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* sub =
      app.add_subcommand("report", "Print system information for bug reports; no personal data");
  add_json(*sub, *json);
  return {sub, [json] { return run(*json); }};
}

}  // namespace imago::command
