// This file draws progress bars.
#include "progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace imago::command {
namespace {

constexpr double kShowAfter = 1, kRefresh = 0.1;  // seconds

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

std::string time_left(std::size_t done, std::size_t total, double elapsed) {
  if (done == 0) return {};
  const double left = elapsed * static_cast<double>(total - done) / static_cast<double>(done);
  return left < 120 ? fmt::format("  {:.0f} s left", left)
                    : fmt::format("  {:.0f} min left", left / 60);
}

}  // namespace

std::string progress_line(std::size_t done, std::size_t total, double elapsed_seconds,
                          const std::string& stage, std::size_t width) {
  constexpr std::size_t kBar = 24;
  std::string line;
  if (total > 0) {
    done = std::min(done, total);
    const std::size_t full = done * kBar / total;
    line = fmt::format("[{:=<{}}{: <{}}] {} of {}{}", "", full, "", kBar - full, done, total,
                       time_left(done, total, elapsed_seconds));
  }
  if (!stage.empty()) line += (line.empty() ? "" : "  ") + stage;
  return line.substr(0, width);
}

Progress::Progress(std::size_t total)
    : terminal_(isatty(STDERR_FILENO) == 1), total_(total), start_(Clock::now()), last_(start_) {}
Progress::~Progress() { clear(); }

void Progress::show(std::size_t done, const std::string& stage) {
  if (!terminal_) return;
  const auto now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double since = std::chrono::duration<double>(now - last_).count();
  if (elapsed < kShowAfter || since < kRefresh) return;
  last_ = now;
  visible_ = true;
  fmt::print(stderr, "\r\x1b[K{}",
             progress_line(done, total_, elapsed, stage, terminal_width() - 1));
  std::fflush(stderr);
}

void Progress::clear() {
  if (visible_) fmt::print(stderr, "\r\x1b[K");
  visible_ = false;
}

}  // namespace imago::command
