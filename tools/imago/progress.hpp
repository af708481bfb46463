// This file shows how far work that takes more than a second has come: a bar on standard error,
// only where that is a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace imago::command {

/// The bar's line: "[=======>      ]  123 of 4567  stage  12 s left", cut to `width`.
std::string progress_line(std::size_t done, std::size_t total, double elapsed_seconds,
                          const std::string& stage, std::size_t width);

class Progress {
 public:
  explicit Progress(std::size_t total = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void set_total(std::size_t total) { total_ = total; }
  void show(std::size_t done, const std::string& stage);
  /// Takes the bar away, so that a line can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool visible_ = false;
  std::size_t total_;
  Clock::time_point start_, last_;
};

}  // namespace imago::command
