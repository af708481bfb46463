// This file repeats calls of POSIX.
#pragma once

#include <cerrno>

namespace imago::base {

/// Repeats a call that a signal interrupts.
template <class Call>
auto persist(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace imago::base
