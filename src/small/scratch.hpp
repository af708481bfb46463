// This file holds the memory between passes, which each thread keeps.
#pragma once

#include <cstddef>

namespace imago::small {

/// Returns at least `bytes` bytes of this thread, aligned to 64 bytes. Their contents are lost in
/// the next call. Throws bad_alloc.
void* scratch(std::size_t bytes);

}  // namespace imago::small
