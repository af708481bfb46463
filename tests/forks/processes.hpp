// This file starts the processes of the tests of fork(): a parent in some state, and its children.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace imago::forks {

/// Answer of a call in a child.
enum class Answer {
  computed,  ///< it did its work
  refused,   ///< DeviceError (in C, its status) with the remedy
  wrong,     ///< another exception or status, or a wrong result
  slow,      ///< it returned after more than kPatience
  none       ///< the child died, or was killed after kLimit
};
constexpr std::chrono::seconds kPatience(1);
/// Time for a child to start and to exit on a busy machine, and to compile.
constexpr std::chrono::seconds kLimit(60);

std::string word_of(Answer answer);

/// Runs `work` in this process, and measures it.
Answer answer_of(const std::function<Answer()>& work);
/// Runs `work` in a child made by fork(). The child then exits as programs do, by exit().
Answer in_child(const std::function<Answer()>& work);
/// Runs this program with one argument, in a process made by posix_spawn(), or by vfork() and
/// execv(). Its exit status is its answer.
Answer in_spawned(const std::string& argument);
Answer in_executed(const std::string& argument);

}  // namespace imago::forks
