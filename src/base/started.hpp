// This file starts threads, which the system may refuse: users and containers have a limit.
#pragma once

#include <exception>
#include <thread>
#include <utility>

namespace imago::base {

/// Starts a thread that runs `work`, which must not throw. If the system refuses, returns no thread
/// (see joinable()) and sets `refusal`.
template <class Work>
std::thread started(Work&& work, std::exception_ptr& refusal) noexcept {
  try {
    return std::thread(std::forward<Work>(work));
  } catch (...) {
    refusal = std::current_exception();
    return {};
  }
}

/// Logs a refusal once. Does nothing for null.
void report_no_thread(const std::exception_ptr& refusal) noexcept;

/// Starts a thread like started() above, and logs a refusal. The caller must hold no lock.
template <class Work>
std::thread started(Work&& work) noexcept {
  std::exception_ptr refusal;
  std::thread thread = started(std::forward<Work>(work), refusal);
  report_no_thread(refusal);
  return thread;
}

}  // namespace imago::base
