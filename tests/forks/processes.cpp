// This file implements the processes of the tests of fork().
#include "processes.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

extern char** environ;

namespace imago::forks {
namespace {

using Clock = std::chrono::steady_clock;

Answer answer_of_status(int status) {
  const bool known = WIFEXITED(status) && WEXITSTATUS(status) <= static_cast<int>(Answer::slow);
  return known ? static_cast<Answer>(WEXITSTATUS(status)) : Answer::none;
}

Answer wait_for(pid_t child) {
  const auto end = Clock::now() + kLimit;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return Answer::none;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return answer_of_status(status);
}

}  // namespace

std::string word_of(Answer answer) {
  switch (answer) {
    case Answer::computed:
      return "computed";
    case Answer::refused:
      return "refused";
    case Answer::wrong:
      return "wrong";
    case Answer::slow:
      return "slow";
    case Answer::none:
      break;
  }
  return "hangs or dies";
}

Answer answer_of(const std::function<Answer()>& work) {
  const auto start = Clock::now();
  const Answer answer = work();
  return answer == Answer::refused && Clock::now() - start > kPatience ? Answer::slow : answer;
}

Answer in_child(const std::function<Answer()>& work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) std::exit(static_cast<int>(answer_of(work)));
  return child < 0 ? Answer::none : wait_for(child);
}

Answer in_spawned(const std::string& argument) {
  const char* words[] = {"/proc/self/exe", argument.c_str(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, words[0], nullptr, nullptr, const_cast<char**>(words), environ) != 0)
    return Answer::none;
  return wait_for(child);
}

Answer in_executed(const std::string& argument) {
  const char* words[] = {"/proc/self/exe", argument.c_str(), nullptr};
  const pid_t child = vfork();
  if (child == 0) {
    execv(words[0], const_cast<char**>(words));
    _exit(static_cast<int>(Answer::none));
  }
  return child < 0 ? Answer::none : wait_for(child);
}

}  // namespace imago::forks
