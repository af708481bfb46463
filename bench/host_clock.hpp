// This file times calls by the host's clock. Every engine and every copy uses the same loops, so
// that none has an advantage.
#pragma once

#include <chrono>
#include <cstddef>

namespace imago::bench {

/// Returns the seconds since an arbitrary moment.
inline double now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

/// Runs one untimed call, then `calls` back to back. Returns the seconds from before the first of
/// these until `finish` has returned.
template <class Call, class Finish>
double time_train(const Call& call, const Finish& finish, std::size_t calls) {
  call();
  finish();
  const double start = now();
  for (std::size_t i = 0; i < calls; ++i) call();
  finish();
  return now() - start;
}

/// Differs from time_train() by a `finish` after each call, as in a program that needs each result.
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
