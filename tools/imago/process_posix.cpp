// This file prepares the process with POSIX, and finds the width of its terminal.
#include "process.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace imago::command {

std::vector<std::string> utf8_arguments(int argc, char** argv) {
  return argc > 1 ? std::vector<std::string>(argv + 1, argv + argc) : std::vector<std::string>{};
}

void prepare_streams() {}  // terminals of POSIX systems need nothing

void let_writes_fail() {
  for (const int signal : {SIGPIPE, SIGXFSZ})
    if (std::signal(signal, [](int) {}) == SIG_IGN) std::signal(signal, SIG_IGN);
}

std::optional<std::size_t> terminal_width(std::FILE* stream) {
  constexpr std::size_t kUsual = 80;
  const int file = fileno(stream);
  if (isatty(file) != 1) return {};
  winsize size{};
  const bool known = ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsual;
}

}  // namespace imago::command
