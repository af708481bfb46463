// This file sends log lines to the callback or to stderr.
#include "base/log.hpp"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace imago {
namespace {

using Listener = std::function<void(LogLevel, const std::string&)>;

struct Listening {
  std::mutex mutex;
  std::shared_ptr<const Listener> listener;
};

// Never destroyed: a plan that outlives main() may still log.
Listening& listening() {
  static auto* instance = new Listening;
  return *instance;
}

std::shared_ptr<const Listener> listener() {
  auto& state = listening();
  const std::lock_guard lock(state.mutex);
  return state.listener;
}

constexpr std::string_view kNames[] = {"error", "warning", "info", "debug"};

/// Returns the number below which levels go to stderr.
int stderr_levels() {
  const char* wish = std::getenv("IMAGO_LOG");
  if (!wish || !*wish) return 0;
  for (int i = 0; i < 4; ++i) {
    if (wish == kNames[i]) return i + 1;
  }
  [[maybe_unused]] static const bool told = [wish] {  // users who set IMAGO_LOG expect output
    std::cerr << "imago: warning: IMAGO_LOG is \"" + base::printable(wish) +
                     "\"; it must be error, warning, info or debug\n";
    return true;
  }();
  return 0;
}

}  // namespace

void set_log(Listener log) {
  auto next = log ? std::make_shared<const Listener>(std::move(log)) : nullptr;
  auto& state = listening();
  const std::lock_guard lock(state.mutex);
  state.listener = std::move(next);
}

namespace base {

bool logs(LogLevel level) { return listener() || static_cast<int>(level) < stderr_levels(); }

void log(LogLevel level, const std::string& text) {
  if (const auto heard = listener()) {
    (*heard)(level, printable_lines(text));
  } else if (static_cast<int>(level) < stderr_levels()) {
    std::cerr << "imago: " + std::string(kNames[static_cast<int>(level)]) + ": " +
                     printable_lines(text) + "\n";
  }
}

}  // namespace base
}  // namespace imago
