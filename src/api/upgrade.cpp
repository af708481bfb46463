// This file builds the kernels for a transform in the background.
#include "api/upgrade.hpp"

#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <string_view>

#include <imago/error.hpp>

#include "base/background.hpp"
#include "base/errors.hpp"
#include "base/log.hpp"
#include "base/stopwatch.hpp"

namespace imago::api {

namespace {

// A compilation takes as long as many calls of a small transform, so a few of them are not worth
// one.
constexpr std::uint64_t kMostCalls = 64, kWorthwhilePoints = std::uint64_t{1} << 20;

void report(const std::exception& error) noexcept {
  try {
    base::log(LogLevel::warning,
              std::string("the plan keeps its generic kernels: ") + error.what());
  } catch (...) {  // no memory for the text, or a listener that throws
  }
}

using Counter = std::shared_ptr<std::atomic<std::uint64_t>>;

/// Returns the number of calls of all plans with the key.
Counter counter_of(const std::string& key) {
  constexpr std::size_t kMostKeys = 4096;
  static std::mutex mutex;
  // Never destroyed: threads may still make plans while the process ends.
  static auto& counters = *new std::map<std::string, Counter>;
  const std::lock_guard lock(mutex);
  if (counters.size() >= kMostKeys && !counters.contains(key)) counters.clear();
  Counter& counter = counters[key];
  if (!counter) counter = std::make_shared<std::atomic<std::uint64_t>>(0);
  return counter;
}

}  // namespace

FirstCall first_call_of(const Options& options) {
  const char* const name = "IMAGO_FIRST_CALL";
  const char* const word = std::getenv(name);
  if (options.first_call != FirstCall::automatic || !word || !*word) return options.first_call;
  for (const auto& [known, value] :
       {std::pair("automatic", FirstCall::automatic), std::pair("compile", FirstCall::compile),
        std::pair("generic", FirstCall::generic)}) {
    if (std::string_view(word) == known) return value;
  }
  base::invalid(name, word, "it must be automatic, compile or generic");
}

AnyUpgrade::AnyUpgrade(Any first, std::uint64_t points, const std::string& key,
                       std::function<Any()> make)
    : points_(points),
      make_(std::move(make)),
      calls_(counter_of(key)),
      current_(std::move(first)) {}

void AnyUpgrade::count_call() {
  if (is_counted_.load(std::memory_order_relaxed)) return;
  const std::uint64_t calls = calls_->fetch_add(1, std::memory_order_relaxed) + 1;
  if (calls < 2 || (calls < kMostCalls && calls * points_ < kWorthwhilePoints)) return;
  is_counted_ = true;
  begin();
}

/// If no thread can be started, or there is no memory for it, later calls try again.
void AnyUpgrade::begin() {
  {
    const std::lock_guard lock(mutex_);
    if (begun_) return;
    begun_ = true;
  }
  bool will_run = false;
  try {
    // A plan that is destroyed before its turn needs no kernels.
    will_run = base::in_background([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->run();
    });
  } catch (const std::exception& error) {
    report(error);
  }
  if (will_run) return;
  *calls_ = 0, is_counted_ = false;
  const std::lock_guard lock(mutex_);
  begun_ = false;
  changed_.notify_all();
}

void AnyUpgrade::run() noexcept {
  Any made;
  try {
    made = make_();
  } catch (const Stopped&) {  // the program ends
  } catch (const std::exception& error) {
    report(error);
  } catch (...) {  // from the caller's function for the log
  }
  const std::lock_guard lock(mutex_);
  // The generic kernels and their workspace are released at the end of the last call with them, or
  // here, after the lock.
  if (made) current_.swap(made);
  ended_ = true;
  make_ = {};
  changed_.notify_all();
}

bool AnyUpgrade::wait(std::chrono::milliseconds most) {
  begin();
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, base::end_of_wait(most), [&] { return ended_ || !begun_; });
}

}  // namespace imago::api
