// This file communicates with a child process. A request is a line and a text; the answer is a
// line. Errors of a child (a crash, a hang) affect only that child.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

  /// Lets this process, a child, end with its parent: a compiler does not notice the parent's
  /// death.
  void end_with_parent();

 private:
  /// Writes all bytes to the child, unless it died.
  void send(std::string_view message);
  /// True if bytes have arrived or the child died, after `milliseconds` at the latest.
  bool has_bytes(int milliseconds) const;
  /// Returns the bytes that have arrived; empty if the child died.
  std::string receive();

  struct Process;  ///< the system's handles
  std::unique_ptr<Process> process_;
  std::string received_;
};

void wait_for_any(const std::vector<const Child*>& children, int milliseconds);

/// Lets this process, a child, end with its parent: a compiler does not notice the parent's death.
void end_with_parent();
/// Reads one request, in the child; false at the end of the input.
bool read_request(std::string& request, std::string& text);
void write_answer(const std::string& answer);

}  // namespace imago::command
