// This file fuzzes the command line, one argument per line. Invalid input must give a ParseError or
// one of the command's own errors, and nothing else. No command runs.
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <imago/error.hpp>

#include "command.hpp"
#include "fuzz.hpp"
#include "options.hpp"

using namespace imago;

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

void parse(const std::vector<std::string>& arguments) {
  CLI::App app("", "imago");
  app.failure_message(CLI::FailureMessage::simple);
  const std::vector<command::Command> commands {
    command::devices_command(app), command::transform_command(app),
        command::spectrogram_command(app), command::spectrum_command(app),
        command::explain_command(app), command::sparse_command(app), command::multiply_command(app),
        command::prewarm_command(app),
#if defined(IMAGO_WITH_BENCH)
        command::bench_command(app),
#endif
        command::tune_command(app), command::selftest_command(app)
  };
  app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // the last one first
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto arguments = lines_of(fuzz::text_of(data, size));
  try {
    parse(arguments);
  } catch (const CLI::ParseError&) {
  }
  for (const auto& argument : arguments) {
    try {
      for (const std::size_t length : command::parse_shape(argument))
        fuzz::require(length > 0 || argument.find('0') != std::string::npos, "a length");
    } catch (const command::Misuse&) {
    }
  }
  return 0;
}
