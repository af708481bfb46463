// This file is `imago run`: it runs a program with imago as drop-in replacement for clFFT.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "drop_in.hpp"
#include "interrupt.hpp"

namespace imago::command {
namespace {

struct RunSettings {
  std::string as;
  std::vector<std::string> words;
};

int run(RunSettings& settings) {
  for (const auto& [name, value] : clfft_environment()) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  for (std::string& word : settings.words) words.push_back(word.data());
  words.push_back(nullptr);
  release_interrupts();
  execvp(words[0], words.data());
  throw Failure(fmt::format("{} cannot be started: {}", settings.words[0], std::strerror(errno)));
}

}  // namespace

Command run_command(CLI::App& app) {
  const auto settings = std::make_shared<RunSettings>();
  CLI::App* sub =
      app.add_subcommand("run", "Run a clFFT program with imago: run --as clfft -- PROGRAM");
  sub->add_option("--as", settings->as, "Replace this library (required)")
      ->required()
      ->check(CLI::IsMember({"clfft"}));
  sub->add_option("program", settings->words, "Program and its arguments, after --")->required();
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
