// This file starts child processes with POSIX.
#include "child.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

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

struct Child::Process {
  Process() = default;
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid = -1;
  int to = -1, from = -1;
};

Child::Process::~Process() {
  if (to >= 0) close(to);
  if (from >= 0) close(from);
  if (pid < 0) return;
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

Child::Child(std::vector<std::string> arguments) : process_(std::make_unique<Process>()) {
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
      posix_spawn(&process_->pid, "/proc/self/exe", &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(in.read);
  close(out.write);
  process_->to = in.write;
  process_->from = out.read;
  if (failed != 0) {
    process_->pid = -1;
    throw Failure(fmt::format("a child process cannot be started: {}", std::strerror(failed)));
  }
}

Child::~Child() = default;
Child::Child(Child&&) noexcept = default;
Child& Child::operator=(Child&&) noexcept = default;

void Child::send(std::string_view message) {
  while (!message.empty()) {
    const ssize_t written = write(process_->to, message.data(), message.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // answer() then finds the child dead
    message.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool Child::has_bytes(int milliseconds) const {
  pollfd waiting{process_->from, POLLIN, 0};
  return poll(&waiting, 1, milliseconds) > 0;
}

std::string Child::receive() {
  char buffer[4096];
  ssize_t got = 0;
  do {
    got = read(process_->from, buffer, sizeof buffer);
  } while (got < 0 && errno == EINTR);
  return {buffer, got > 0 ? static_cast<std::size_t>(got) : 0};
}

void wait_for_any(const std::vector<const Child*>& children, int milliseconds) {
  std::vector<pollfd> waiting;
  for (const Child* child : children) waiting.push_back({child->process_->from, POLLIN, 0});
  poll(waiting.data(), waiting.size(), milliseconds);
}

void end_with_parent() {
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

}  // namespace imago::command
