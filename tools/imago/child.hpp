// This file communicates with a child process. A request is a line and a text; the answer is a
// line. Errors of a child (a crash, a hang) affect only that child.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace imago::command {

class Child {
 public:
  /// Starts this program again with other arguments.
  explicit Child(std::vector<std::string> arguments);
  ~Child();  ///< kills it
  Child(Child&&) noexcept;
  Child& operator=(Child&&) noexcept;

  void ask(const std::string& request, std::string_view text);
  /// Waits for the answer to the oldest request. Throws Failure if the child died or `seconds`
  /// passed; the child is unusable then.
  std::string answer(double seconds);
  /// True if an answer has started to arrive (or the child died), so that answer() does not wait.
  bool answers() const;
  /// Waits until one of the children answers or dies, or for `milliseconds`.
  friend void wait_for_any(const std::vector<const Child*>& children, int milliseconds);

 private:
  void stop();
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
  std::string received_;
};

void wait_for_any(const std::vector<const Child*>& children, int milliseconds);

/// Reads one request, in the child; false at the end of the input.
bool read_request(std::string& request, std::string& text);
void write_answer(const std::string& answer);

}  // namespace imago::command
