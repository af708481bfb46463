// This file is `imago run`: it runs a program with imago as drop-in replacement for clFFT.
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "drop_in.hpp"

namespace imago::command {
namespace {

struct RunSettings {
  std::string as;
  std::vector<std::string> words;
};

}  // namespace

Command run_command(CLI::App& app) {
  const auto settings = std::make_shared<RunSettings>();
  CLI::App* sub =
      app.add_subcommand("run", "Run a clFFT program with imago: run --as clfft -- PROGRAM");
  sub->add_option("--as", settings->as, "Replace this library (required)")
      ->required()
      ->check(CLI::IsMember({"clfft"}));
  sub->add_option("program", settings->words, "Program and its arguments, after --")->required();
  return {sub, [settings]() -> int { become(settings->words, clfft_environment()); }};
}

}  // namespace imago::command
