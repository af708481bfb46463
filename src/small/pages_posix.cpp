// This file implements huge pages for POSIX systems, of which Linux has them.
#include "small/pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace imago::small {

void use_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__)
  madvise(memory, bytes, MADV_HUGEPAGE);  // an error leaves small pages
#endif
}

}  // namespace imago::small
