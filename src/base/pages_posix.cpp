// This file implements huge pages for POSIX systems, of which Linux has them.
#include "base/pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace imago::base {

void use_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__)
  madvise(memory, bytes, MADV_HUGEPAGE);  // an error leaves small pages
#endif
}

}  // namespace imago::base
