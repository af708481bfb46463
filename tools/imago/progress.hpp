// This file shows how far work that takes more than a second has come: a line on standard error, if
// that is a terminal. A log gets a line of a compilation that takes more than three seconds.
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

/// Estimates the remaining time of work that is counted. The estimate never rises: a first guess
/// that was too low stays until the work has caught up.
class Remaining {
 public:
  /// Returns seconds; none while too little is done to tell.
  std::optional<double> after(std::size_t done, std::size_t total, double elapsed_seconds);

 private:
  std::size_t done_ = 0, total_ = 0;
  std::optional<double> shown_;
};

/// Returns "[=====     ] Stage: 123 of 4567 (12 s left)", or "Stage (3 s)" without a total; cut to
/// `width`.
std::string progress_line(std::size_t done, std::size_t total, double elapsed_seconds,
                          std::optional<double> left, const std::string& stage, std::size_t width);

/// The stage of a first call: the driver may compile kernels once more, for their arguments.
inline constexpr const char* kFirstCall = "Compiling and transforming";

/// The line of a log, which is no terminal: one for the command, after three seconds of waits that
/// imago causes.
class LogLine {
 public:
  /// Returns the line, or nothing. `waits`: imago causes this wait, which began `seconds` ago.
  std::optional<std::string> after(double seconds, bool waits, const std::string& stage,
                                   std::size_t done, std::size_t total);

 private:
  bool written_ = false;
};

/// Draws from a thread of its own, so that a long step is seen to go on.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows this from now on; `total` 0: only the stage and the elapsed time.
  void show(const std::string& stage, std::size_t done = 0, std::size_t total = 0);
  /// Like show(), for a wait that imago causes, and the user did not ask for: logs report it, too.
  void show_wait(const std::string& stage, std::size_t done = 0, std::size_t total = 0);
  /// Takes the line away until the next show(), so that something else can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void set(bool waits, const std::string& stage, std::size_t done, std::size_t total);
  void draw_until_stopped();
  void draw(std::size_t width);
  void log();

  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable stop_signal_;
  bool stop_ = false, wanted_ = false, visible_ = false, waits_ = false;
  std::size_t done_ = 0, total_ = 0;
  Clock::time_point counted_from_ = start_;  ///< when the present count began
  Clock::time_point waits_from_ = start_;    ///< when the present wait began
  Remaining remaining_;
  LogLine log_line_;
  std::string stage_;
  std::thread thread_;  ///< last, so that it sees the others made
};

/// While it lives, in the thread that makes plans: shows "planning", and how many of their kernels
/// are built.
class Planning {
 public:
  explicit Planning(Progress& progress);

 private:
  BuildWatch watch_;
};

}  // namespace imago::command
