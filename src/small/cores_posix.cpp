// This file implements Cores for POSIX systems, of which Linux has masks.
#include "small/cores.hpp"

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <bit>
#include <thread>

namespace imago::small {

Cores Cores::own() {
  Cores cores;
#if defined(__linux__)
  cores.count_ = 0;
  if (sched_getaffinity(0, sizeof cores.mask_, reinterpret_cast<cpu_set_t*>(cores.mask_.data())) ==
      0)
    for (const unsigned long word : cores.mask_)
      cores.count_ += static_cast<std::size_t>(std::popcount(word));
  else
    cores.mask_ = {};
  if (cores.count_ > 0) return cores;
#endif
  cores.count_ = std::max(1u, std::thread::hardware_concurrency());
  return cores;
}

void Cores::adopt() const {
#if defined(__linux__)
  if (mask_ != decltype(mask_){})
    sched_setaffinity(0, sizeof mask_, reinterpret_cast<const cpu_set_t*>(mask_.data()));
#endif
}

}  // namespace imago::small
