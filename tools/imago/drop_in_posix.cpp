// This file asks the system's loader (ldd), and finds files next to this program.
#include "drop_in.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/system.hpp"
#include "command.hpp"
#include "interrupt.hpp"

namespace imago::command {
namespace {

namespace fs = std::filesystem;
using Variables = std::vector<std::pair<std::string, std::string>>;

/// Prepends an entry to a variable's own value, in a list separated by colons.
std::string prepended(const char* name, const std::string& first) {
  const char* const rest = std::getenv(name);
  return rest && *rest ? first + ":" + rest : first;
}

/// Returns the environment of this process with other values of some variables.
std::vector<std::string> changed_environment(const Variables& variables) {
  std::vector<std::string> lines;
  for (const std::string& text : base::whole_environment()) {
    bool other = false;
    for (const auto& [name, value] : variables) other = other || text.rfind(name + "=", 0) == 0;
    if (!other) lines.push_back(text);
  }
  for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
  return lines;
}

struct Spoken {
  int status = 0;
  std::string text;
};

/// Runs a program and returns both of its outputs.
Spoken output_of(std::vector<std::string> words, const Variables& variables) {
  int ends[2];
  if (pipe(ends) != 0) throw Failure("pipe failed");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::vector<std::string> lines = changed_environment(variables);
  std::vector<char*> arguments, environment;
  for (std::string& word : words) arguments.push_back(word.data());
  for (std::string& line : lines) environment.push_back(line.data());
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  pid_t child = -1;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Spoken spoken;
  char buffer[4096];
  for (ssize_t got; !failed && (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    spoken.text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  if (failed) throw Failure(fmt::format("{} cannot be started", words[0]));
  waitpid(child, &spoken.status, 0);
  return spoken;
}

}  // namespace

fs::path clfft_folder() {
  std::error_code code;
  const fs::path own = base::own_program().parent_path();
  for (const char* const relative : {IMAGO_CLFFT_INSTALLED, "../compat/clfft"}) {
    fs::path folder = (own / relative).lexically_normal();
    if (fs::exists(folder / "libclFFT.so.2", code)) return folder;
  }
  throw Failure(
      "imago's libclFFT.so.2 is not installed with this program: build imago with clFFT.h "
      "(libclfft-dev)");
}

Variables clfft_environment() {
  const fs::path folder = clfft_folder();
  // LD_LIBRARY_PATH serves programs that load the library at run time. LD_PRELOAD has precedence
  // over paths that are stored in programs.
  return {{"LD_LIBRARY_PATH", prepended("LD_LIBRARY_PATH", folder.string())},
          {"LD_PRELOAD", prepended("LD_PRELOAD", (folder / "libclFFT.so.2").string())}};
}

void become(std::vector<std::string> words, const Variables& environment) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  release_interrupts();
  execvp(arguments[0], arguments.data());
  throw Failure(fmt::format("{} cannot be started: {}", words[0], std::strerror(errno)));
}

std::vector<Loaded> loaded_by(const fs::path& program) {
  const Spoken spoken = output_of({"ldd", program.string()}, {});
  if (spoken.status != 0)
    throw Failure(fmt::format("{} is not a program or a library that this system can load",
                              program.string()));
  std::vector<Loaded> found;
  std::istringstream lines(spoken.text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, arrow, path;
    words >> name >> arrow >> path;
    if (arrow == "=>") found.push_back({name, path == "not" ? "" : path});
  }
  return found;
}

std::vector<std::string> missing_symbols(const fs::path& program, const std::string& beginning,
                                         const Variables& environment) {
  const std::string text = output_of({"ldd", "-r", program.string()}, environment).text;
  const std::string marker = "undefined symbol: ";
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = text.find(marker, at)) != std::string::npos;) {
    at += marker.size();
    const std::string name = text.substr(at, text.find_first_of(" \t,\n", at) - at);
    if (name.rfind(beginning, 0) == 0) found.push_back(name);
  }
  return found;
}

fs::path find_program(const std::string& name) {
  std::error_code code;
  if (name.find('/') != std::string::npos) {
    if (fs::is_regular_file(name, code)) return fs::absolute(name);
    throw Failure(fmt::format("there is no file {}", name));
  }
  const char* const list = std::getenv("PATH");
  std::istringstream folders(list ? list : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path path = fs::path(folder.empty() ? "." : folder) / name;
    if (fs::is_regular_file(path, code) && access(path.c_str(), X_OK) == 0) return path;
  }
  throw Failure(fmt::format("there is no program {} in $PATH", name));
}

}  // namespace imago::command
