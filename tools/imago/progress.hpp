// This file shows the progress of work that takes more than a second, as a line on standard error
// if that is a terminal.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <imago/watch.hpp>

namespace imago::command {

/// Estimates the remaining time of counted work. The displayed time never rises: a first guess that
/// was too low stays until the work has caught up.
class Remaining {
 public:
  /// Returns seconds; nullopt while too little is done for an estimate.
  std::optional<double> after(std::size_t done, std::size_t total, double elapsed_seconds);

 private:
  std::size_t done_ = 0, total_ = 0;
  std::optional<double> shown_;
};

/// Returns "[=======>      ]  123 of 4567  12 s left  stage", or "stage  3 s" without a total; cut
/// to `width`.
std::string progress_line(std::size_t done, std::size_t total, double elapsed_seconds,
                          std::optional<double> left, const std::string& stage, std::size_t width);

/// Draws in a separate thread, so that the display also changes during a long step.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Sets the displayed stage and counts. If `total` is 0, shows only the stage and the total time.
  void show(const std::string& stage, std::size_t done = 0, std::size_t total = 0);
  /// Removes the line until the next show(), so that other text can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void draw_until_stopped();

  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable stop_signal_;
  bool stop_ = false, wanted_ = false, visible_ = false;
  std::size_t done_ = 0, total_ = 0;
  Clock::time_point counted_from_ = start_;  ///< start of the current count
  Remaining remaining_;
  std::string stage_;
  std::thread thread_;  ///< last, so that it starts after the other members
};

/// Shows "planning" during its life, and how many kernels are built. Use it in the thread that
/// makes plans.
class Planning {
 public:
  explicit Planning(Progress& progress);

 private:
  BuildWatch watch_;
};

}  // namespace imago::command
