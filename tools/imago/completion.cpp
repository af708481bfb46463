// This file is `imago completion`: it generates scripts for the completion of shells from the
// command line's definition.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "options.hpp"

namespace imago::command {
namespace {

/// The kinds of arguments that may follow an option.
struct Argument {
  bool any = false, file = false;
  std::vector<std::string> words;
};

struct OptionWords {
  std::vector<std::string> names;  ///< "--output", "-o"
  std::string about;
  Argument argument;
};

Argument argument_of(const CLI::Option& option) {
  Argument argument;
  argument.any = option.get_items_expected_max() > 0;
  argument.words = words_of(option);
  const std::string type = option.get_type_name();
  argument.file =
      type.find("FILE") != std::string::npos || type.find("FOLDER") != std::string::npos;
  return argument;
}

std::vector<OptionWords> options_of(const CLI::App& app) {
  std::vector<OptionWords> found;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty() || option->get_positional()) continue;
    OptionWords words{{}, option->get_description(), argument_of(*option)};
    for (const auto& name : option->get_lnames()) words.names.push_back("--" + name);
    for (const auto& name : option->get_snames()) words.names.push_back("-" + name);
    found.push_back(std::move(words));
  }
  return found;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

std::string names_of(const CLI::App& app) {
  std::string text;
  for (const CLI::App* each : commands_of(app))
    text += (text.empty() ? "" : " ") + each->get_name();
  return text;
}

/// Returns the first sentence, for a shell's single quotes.
std::string quoted(std::string text) {
  text = text.substr(0, text.find_first_of(";\n"));
  std::string safe;
  for (const char c : text) safe += c == '\'' ? "'\\''" : std::string(1, c);
  return "'" + safe + "'";
}

/// Escapes square brackets and colons, which are special in zsh's _arguments.
std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char c : text.substr(0, text.find_first_of(";\n")))
    safe += c == '[' || c == ']' || c == ':' ? std::string("\\") + c
            : c == '\''                      ? std::string("'\\''")
                                             : std::string(1, c);
  return safe;
}

std::string bash(const CLI::App& app) {
  std::string cases, options;
  for (const CLI::App* command : commands_of(app)) {
    std::string names;
    for (const OptionWords& option : options_of(*command)) {
      for (const auto& name : option.names) {
        names += (names.empty() ? "" : " ") + name;
        if (!option.argument.words.empty())
          cases +=
              fmt::format("    {}:{}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                          command->get_name(), name, fmt::join(option.argument.words, " "));
      }
    }
    options += fmt::format("    {}) words='{}' ;;\n", command->get_name(), names);
  }
  return fmt::format(
      "# bash completion of imago, written by `imago completion bash`.\n"
      "_imago() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
      "  local command=${{COMP_WORDS[1]}} words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $command:$before in\n"
      "{}"
      "  esac\n"
      "  case $command in\n"
      "{}"
      "  esac\n"
      "  case $word in\n"
      "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o default -F _imago imago\n",
      names_of(app), cases, options);
}

std::string zsh(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : commands_of(app)) {
    commands +=
        fmt::format("    '{}:{}'\n", command->get_name(), zsh_text(command->get_description()));
    cases += fmt::format("    {})\n      _arguments \\\n", command->get_name());
    for (const OptionWords& option : options_of(*command)) {
      const std::string value =
          !option.argument.any ? ""
          : !option.argument.words.empty()
              ? fmt::format(":word:({})", fmt::join(option.argument.words, " "))
          : option.argument.file ? ":file:_files"
                                 : ":value:";
      for (const auto& name : option.names)
        cases += fmt::format("        '{}[{}]{}' \\\n", name, zsh_text(option.about), value);
    }
    cases += "        '*:file:_files' ;;\n";
  }
  return fmt::format(
      "#compdef imago\n"
      "# zsh completion of imago, written by `imago completion zsh`.\n"
      "_imago() {{\n"
      "  local -a commands\n"
      "  commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n{}"
      "  esac\n"
      "}}\n"
      "_imago \"$@\"\n",
      commands, cases);
}

std::string fish(const CLI::App& app) {
  std::string text = "# fish completion of imago, written by `imago completion fish`.\n";
  for (const CLI::App* command : commands_of(app)) {
    const std::string& name = command->get_name();
    text += fmt::format("complete -c imago -n __fish_use_subcommand -f -a {} -d {}\n", name,
                        quoted(command->get_description()));
    for (const OptionWords& option : options_of(*command)) {
      text += fmt::format("complete -c imago -n '__fish_seen_subcommand_from {}'", name);
      for (const auto& each : option.names)
        text += each.starts_with("--") ? " -l " + each.substr(2) : " -s " + each.substr(1);
      if (!option.argument.words.empty())
        text += fmt::format(" -x -a '{}'", fmt::join(option.argument.words, " "));
      else if (option.argument.any)
        text += option.argument.file ? " -r -F" : " -x";
      text += " -d " + quoted(option.about) + "\n";
    }
  }
  return text;
}

}  // namespace

Command completion_command(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("completion", "Print the completion script of a shell");
  sub->add_option("shell", *shell, "Name of the shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return {sub, [&app, shell] {
            const auto write = *shell == "bash" ? bash : *shell == "zsh" ? zsh : fish;
            fmt::print("{}", write(app));
            return kSuccess;
          }};
}

}  // namespace imago::command
