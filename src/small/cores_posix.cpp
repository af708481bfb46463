// This file implements Cores for POSIX systems, of which Linux has masks.
#include "small/cores.hpp"

#if defined(__linux__)
#include <pthread.h>
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

Cores Cores::without_this() const {
  Cores others = *this;
#if defined(__linux__)
  constexpr int kBits = 8 * sizeof(unsigned long);
  const int core = sched_getcpu();
  if (count_ < 2 || core < 0 || core >= kBits * static_cast<int>(mask_.size())) return others;
  unsigned long& word = others.mask_[static_cast<std::size_t>(core / kBits)];
  const unsigned long bit = 1UL << (core % kBits);
  if ((word & bit) != 0) word &= ~bit, --others.count_;
#endif
  return others;
}

void Cores::give_to([[maybe_unused]] std::thread& thread) const {
#if defined(__linux__)
  if (mask_ != decltype(mask_){})
    pthread_setaffinity_np(thread.native_handle(), sizeof mask_,
                           reinterpret_cast<const cpu_set_t*>(mask_.data()));
#endif
}

}  // namespace imago::small
