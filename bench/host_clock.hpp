// This file times calls by the host's clock. The loops are the same for every engine and every
// copy, so that none of them gains by its own.
#pragma once

#include <chrono>
#include <cstddef>

namespace imago::bench {

/// Seconds since an arbitrary moment.
inline double now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

/// A call that is not timed, then `calls` back to back: seconds from before the first of them until
/// `finish` has returned.
template <class Call, class Finish>
double time_train(const Call& call, const Finish& finish, std::size_t calls) {
  call();
  finish();
  const double start = now();
  for (std::size_t i = 0; i < calls; ++i) call();
  finish();
  return now() - start;
}

/// The same with a `finish` after each of the calls: what someone waits who needs each result.
template <class Call, class Finish>
double time_waits(const Call& call, const Finish& finish, std::size_t calls) {
  call();
  finish();
  const double start = now();
  for (std::size_t i = 0; i < calls; ++i) {
    call();
    finish();
  }
  return now() - start;
}

}  // namespace imago::bench
