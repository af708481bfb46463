// This file is the entry point of the imago command. It finds the sub-command, runs it and converts
// errors to one line and an exit status.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <imago/error.hpp>

#include "command.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "process.hpp"
#include "report_facts.hpp"

namespace imago::command {
namespace {

bool is_option(const std::string& word) { return word.starts_with("-"); }

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // internal
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

/// Returns the sub-command, or the command if there is none.
const CLI::App& asked_of(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : *parsed.front();
}

/// Returns true if there is an option that App::parse() did not expect.
bool has_unknown_option(const CLI::App& app) {
  const auto words = asked_of(app).remaining();
  return std::any_of(words.begin(), words.end(), is_option);
}

/// Returns the message for a word that App::parse() did not expect.
std::string unexpected(const CLI::App& app) {
  const CLI::App& asked = asked_of(app);
  const auto words = asked.remaining();
  // The value of an unknown option is also left over, so this looks for an option first.
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  const std::string& word = option != words.end() ? *option : words.at(0);
  const std::string meant = is_option(word)
                                ? nearest(word.substr(0, word.find('=')), options_of(asked))
                            : &asked == &app ? nearest(word, commands_of(app))
                                             : std::string();
  return fmt::format("{} was not expected{}", word,
                     meant.empty() ? "" : fmt::format("; did you mean {}?", meant));
}

/// Prints an error, which is one line.
int complain(const std::string& what, int status) {
  fmt::print(stderr, "imago: {}\n", printable(what));
  return status;
}

int run(const Command& command) {
  try {
    return command.run();
  } catch (const Misuse& error) {
    return complain(error.what(), kMisused);
  } catch (const InvalidArgument& error) {
    return complain(as_options(error.what()), kMisused);
  } catch (const Unsupported& error) {
    return complain(as_options(error.what()), kFailed);
  } catch (const DeviceError& error) {  // it may have the lines of a compiler
    fmt::print(stderr, "imago: {}\n", base::printable_lines(error.what()));
    return kFailed;
  } catch (const std::bad_alloc&) {
    return complain("not enough memory on this machine", kFailed);
  } catch (const std::length_error&) {
    return complain("not enough memory on this machine", kFailed);
  } catch (const std::exception& error) {
    return complain(error.what(), kFailed);
  }
}

/// Flushes the output, which may fail only now: a full disk, a closed pipe.
int flushed(int status) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
  return complain("standard output cannot be written", kFailed);
}

int main(int argc, char** argv) {
  prepare_streams();
  CLI::App app("Fast Fourier, cosine and sine transforms on OpenCL devices.", "imago");
  app.formatter(help_formatter());         // sub-commands take it over
  app.allow_windows_style_options(false);  // a file's name may begin with a slash
  app.set_version_flag("--version", version_text());
  app.failure_message(CLI::FailureMessage::simple);
  const std::vector<Command> commands {
    devices_command(app), transform_command(app), spectrogram_command(app), spectrum_command(app),
        channel_command(app), sparse_command(app), multiply_command(app), explain_command(app),
        export_command(app),
#if defined(IMAGO_WITH_BENCH)
        bench_command(app),
#endif
        tune_command(app), prewarm_command(app), selftest_command(app), run_command(app),
        report_command(app), doctor_command(app), completion_command(app)
  };
  try {
    std::vector<std::string> words = utf8_arguments(argc, argv);
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
    app.parse(words);
  } catch (const CLI::ExtrasError&) {
    return complain(unexpected(app) + " (see --help)", kMisused);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return flushed(app.exit(error));  // --help, --version
    // A required option may be missing because it is misspelt.
    const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if (missing && has_unknown_option(app))
      return complain(unexpected(app) + " (see --help)", kMisused);
    return complain(fmt::format("{} (see --help)", error.what()), kMisused);
  }
  end_on_interrupts();
  let_writes_fail();
  for (const Command& command : commands) {
    if (command.app->parsed()) return died_of_interrupt(flushed(run(command)));
  }
  fmt::print("{}", app.help());
  std::fflush(stdout);
  return complain("a sub-command is needed: name one of those above", kMisused);
}

}  // namespace
}  // namespace imago::command

int main(int argc, char** argv) { return imago::command::main(argc, argv); }
