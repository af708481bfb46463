// This file implements Released and Acquired.
#include "gil.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

namespace imago::python {
namespace {

std::atomic<int> inside = 0;                 // NOLINT: threads in the library
std::atomic<unsigned long> main_thread = 0;  // NOLINT: Python's main thread
thread_local bool is_inside = false;         // NOLINT: that this thread is one of them

/// Records whether this thread is in the library. Returns what it was before.
bool enter(bool now) noexcept {
  inside += static_cast<int>(now) - static_cast<int>(is_inside);
  return std::exchange(is_inside, now);
}

[[noreturn]] void sleep_for_ever() noexcept {
  enter(false);
  for (;;) std::this_thread::sleep_for(std::chrono::hours(24));
}

PyGILState_STATE ensure() noexcept {
  try {
    return PyGILState_Ensure();
  } catch (...) {  // the interpreter ends this thread
    sleep_for_ever();
  }
}

}  // namespace

Released::Released() : state_(PyEval_SaveThread()) { enter(true); }

Released::~Released() {
  enter(false);
  try {
    PyEval_RestoreThread(state_);
  } catch (...) {  // the interpreter ends this thread
    sleep_for_ever();
  }
}

Acquired::Acquired() : state_(ensure()) {}

Acquired::~Acquired() { PyGILState_Release(state_); }

void wait_for_released() noexcept {
  while (inside > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void find_main_thread() {
  inside = 0;
  main_thread = nanobind::cast<unsigned long>(
      nanobind::module_::import_("threading").attr("main_thread")().attr("ident"));
}

bool in_main_thread() noexcept { return PyThread_get_thread_ident() == main_thread; }

}  // namespace imago::python
