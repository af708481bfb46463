// This file talks to a child process: a request is a line and a text, the answer a line. What a
// child does wrong (it crashes, it hangs) costs that child and nothing else.
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
  /// Waits for the answer to the oldest request. Throws Failure where the child died or `seconds`
  /// passed; the child is of no use then.
  std::string answer(double seconds);
  /// Whether an answer has begun to come (or the child died), so that answer() waits no longer.
  bool answers() const;

 private:
  void stop();
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
  std::string received_;
};

/// A child's side: one request; nothing when the input has ended.
bool read_request(std::string& request, std::string& text);
void write_answer(const std::string& answer);

}  // namespace imago::command
