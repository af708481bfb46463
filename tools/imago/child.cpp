// This file implements the communication with child processes.
#include "child.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "command.hpp"

namespace imago::command {

void Child::ask(const std::string& request, std::string_view text) {
  send(fmt::format("{} {}\n{}", request, text.size(), text));
}

bool Child::answers() const { return received_.find('\n') != std::string::npos || has_bytes(0); }

std::string Child::answer(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (const auto line = received_.find('\n'); line != std::string::npos) {
      std::string answer = received_.substr(0, line);
      received_.erase(0, line + 1);
      return answer;
    }
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    if (left <= 0) throw Failure(fmt::format("it hung: no answer in {:.0f} s", seconds));
    if (!has_bytes(static_cast<int>(std::min(left * 1e3 + 1, 1e6)))) continue;
    const std::string bytes = receive();
    if (bytes.empty()) throw Failure("it crashed");
    received_ += bytes;
  }
}

bool read_request(std::string& request, std::string& text) {
  request.clear();
  for (int c = std::getchar(); c != '\n'; c = std::getchar()) {
    if (c == EOF) return false;
    request += static_cast<char>(c);
  }
  const auto space = request.rfind(' ');
  if (space == std::string::npos) return false;
  text.resize(std::strtoul(request.c_str() + space, nullptr, 10));
  request.erase(space);
  return std::fread(text.data(), 1, text.size(), stdin) == text.size();
}

void write_answer(const std::string& answer) {
  std::string line = answer;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::fwrite((line + "\n").data(), 1, line.size() + 1, stdout);
  std::fflush(stdout);
}

}  // namespace imago::command
