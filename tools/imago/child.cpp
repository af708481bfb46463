// This file implements child processes with POSIX.
#include "child.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "command.hpp"

extern char** environ;

namespace imago::command {
namespace {

struct Pipe {
  int read = -1, write = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure(fmt::format("pipe: {}", std::strerror(errno)));
  return {ends[0], ends[1]};
}

}  // namespace

Child::Child(std::vector<std::string> arguments) {
  std::signal(SIGPIPE, SIG_IGN);  // writing to a dead child must fail, not kill this process
  const Pipe in = make_pipe(), out = make_pipe();
  std::vector<char*> words{const_cast<char*>("imago")};
  for (auto& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  // A separate process group, because Ctrl-C is for the parent, which ends its children.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int failed =
      posix_spawn(&pid_, "/proc/self/exe", &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(in.read);
  close(out.write);
  to_ = in.write;
  from_ = out.read;
  if (failed != 0) {
    pid_ = -1;
    stop();
    throw Failure(fmt::format("a child process cannot be started: {}", std::strerror(failed)));
  }
}

Child::~Child() { stop(); }

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      to_(std::exchange(other.to_, -1)),
      from_(std::exchange(other.from_, -1)),
      received_(std::move(other.received_)) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(to_, other.to_);
  std::swap(from_, other.from_);
  std::swap(received_, other.received_);
  return *this;
}

void Child::stop() {
  if (to_ >= 0) close(std::exchange(to_, -1));
  if (from_ >= 0) close(std::exchange(from_, -1));
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(std::exchange(pid_, -1), nullptr, 0);
}

void Child::ask(const std::string& request, std::string_view text) {
  const std::string message = fmt::format("{} {}\n{}", request, text.size(), text);
  std::size_t done = 0;
  while (done < message.size()) {
    const ssize_t written = write(to_, message.data() + done, message.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // answer() then finds the child dead
    done += static_cast<std::size_t>(written);
  }
}

bool Child::answers() const {
  if (received_.find('\n') != std::string::npos) return true;
  pollfd waiting{from_, POLLIN, 0};
  return poll(&waiting, 1, 0) > 0;
}

void wait_for_any(const std::vector<const Child*>& children, int milliseconds) {
  std::vector<pollfd> waiting;
  for (const Child* child : children) waiting.push_back({child->from_, POLLIN, 0});
  poll(waiting.data(), waiting.size(), milliseconds);
}

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
    pollfd waiting{from_, POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(std::min(left * 1e3 + 1, 1e6))) <= 0) continue;
    char buffer[4096];
    const ssize_t got = read(from_, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw Failure("it crashed");
    received_.append(buffer, static_cast<std::size_t>(got));
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
