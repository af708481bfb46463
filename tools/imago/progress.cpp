// This file draws progress bars.
#include "progress.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "base/started.hpp"
#include "base/text.hpp"
#include "process.hpp"

namespace imago::command {
namespace {

constexpr std::chrono::duration<double> kShowAfter(1), kRefresh(0.2);

constexpr double kLogAfter = 3;  // seconds

bool is_quiet() {
  const char* const level = std::getenv("IMAGO_LOG");
  return level && level == std::string_view("error");
}

constexpr double kEnough = 0.03;  // fraction of the work; a smaller one does not predict the rest

std::string time_left(double seconds) {
  return seconds < 120 ? fmt::format("{:.0f} s left", seconds)
                       : fmt::format("{:.0f} min left", seconds / 60);
}

}  // namespace

std::optional<double> Remaining::after(std::size_t done, std::size_t total,
                                       double elapsed_seconds) {
  if (total != total_ || done < done_) shown_.reset();  // other work
  done_ = done;
  total_ = total;
  const auto ended = static_cast<double>(done), all = static_cast<double>(total);
  if (done == 0 || ended < kEnough * all) return {};
  const double left = elapsed_seconds * (all - ended) / ended;
  shown_ = std::min(left, shown_.value_or(left));
  return shown_;
}

std::string progress_line(std::size_t done, std::size_t total, double elapsed_seconds,
                          std::optional<double> left, const std::string& stage, std::size_t width) {
  constexpr std::size_t kBar = 24;
  std::string line;
  if (total > 0) {
    done = std::min(done, total);
    const std::size_t full = done * kBar / total;
    line = fmt::format("[{:=<{}}{: <{}}] ", "", full, "", kBar - full);
    const std::string end =
        fmt::format(": {} of {} ({})", done, total,
                    left ? time_left(*left) : fmt::format("{:.0f} s", elapsed_seconds));
    const std::size_t used = line.size() + end.size();
    line += stage.substr(0, width > used ? width - used : 0) + end;  // a long stage is cut
  } else {
    line = fmt::format("{} ({:.0f} s)", stage, elapsed_seconds);
  }
  return line.substr(0, width);
}

std::optional<std::string> LogLine::after(double seconds, bool waits, const std::string& stage,
                                          std::size_t done, std::size_t total) {
  if (written_ || !waits || seconds < kLogAfter) return {};
  written_ = true;
  const std::string count = total > 0 ? fmt::format(": {} of {}", done, total) : "";
  return fmt::format("imago: {}{} ({:.0f} s); IMAGO_LOG=error hides this line", stage, count,
                     seconds);
}

Progress::Progress() {
  if (terminal_width(stderr) || !is_quiet())
    thread_ = base::started([this] { draw_until_stopped(); });
}

Progress::~Progress() {
  clear();
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stop_signal_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Progress::show(const std::string& stage, std::size_t done, std::size_t total) {
  set(false, stage, done, total);
}

void Progress::show_wait(const std::string& stage, std::size_t done, std::size_t total) {
  set(true, stage, done, total);
}

void Progress::set(bool waits, const std::string& stage, std::size_t done, std::size_t total) {
  const std::lock_guard lock(mutex_);
  if (waits && !waits_) waits_from_ = Clock::now();
  waits_ = waits;
  stage_ = base::printable(stage);
  if (total != total_ || done < done_) counted_from_ = Clock::now();
  done_ = done;
  total_ = total;
  wanted_ = true;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (visible_) fmt::print(stderr, "\r\x1b[K");
  wanted_ = visible_ = waits_ = false;
}

void Progress::draw_until_stopped() {
  std::unique_lock lock(mutex_);
  while (!stop_signal_.wait_for(lock, kRefresh, [this] { return stop_; })) {
    if (!wanted_) continue;
    if (const auto width = terminal_width(stderr))
      draw(*width);
    else
      log();
  }
}

void Progress::draw(std::size_t width) {
  const auto now = Clock::now();
  const std::chrono::duration<double> elapsed = now - start_, counted = now - counted_from_;
  if (elapsed < kShowAfter) return;
  const auto left = remaining_.after(done_, total_, counted.count());
  fmt::print(stderr, "\r\x1b[K{}",
             progress_line(done_, total_, elapsed.count(), left, stage_, width - 1));
  std::fflush(stderr);
  visible_ = true;
}

void Progress::log() {
  const std::chrono::duration<double> waited = Clock::now() - waits_from_;
  if (const auto line = log_line_.after(waited.count(), waits_, stage_, done_, total_))
    fmt::print(stderr, "{}\n", *line);
}

Planning::Planning(Progress& progress)
    : watch_([&progress](std::size_t built, std::size_t kernels) {
        progress.show_wait("Compiling kernels", built, kernels);
      }) {
  progress.show_wait("Planning");
}

}  // namespace imago::command
