// This file collects the library's log during its lifetime.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include <imago/log.hpp>

namespace imago::test {

class LogLines {
 public:
  LogLines() {
    set_log([this](LogLevel, const std::string& text) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(text);
    });
  }
  ~LogLines() { set_log({}); }
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;

  /// Returns all lines, for a message.
  std::string text() const {
    const std::lock_guard lock(mutex_);
    std::string all;
    for (const auto& line : lines_) all += line + "\n";
    return all;
  }
  /// Returns the number of lines that contain `part`; "compiled " counts compilations.
  std::size_t count(const std::string& part) const {
    const std::lock_guard lock(mutex_);
    return std::count_if(lines_.begin(), lines_.end(),
                         [&](auto& line) { return line.find(part) != std::string::npos; });
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

}  // namespace imago::test
