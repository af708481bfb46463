// This file copies to memory that is not read again soon, bypassing the caches.
#pragma once

#include <cstddef>

namespace imago::host {

/// Copies as memcpy(), but bypasses the caches for writes if the processor can. This keeps other
/// data cached, and avoids reading the target's cache lines first. Other threads see the data after
/// fence_stores().
void copy_past_caches(char* to, const char* from, std::size_t bytes);
void fence_stores();

}  // namespace imago::host
