// This file copies to memory that is not read again soon.
#pragma once

#include <cstddef>

namespace imago::host {

/// As memcpy(), but what is written does not go through the caches, where the processor can do so:
/// they are spared, and its lines are not read first. Others see it behind fence_stores().
void copy_past_caches(char* to, const char* from, std::size_t bytes);
void fence_stores();

}  // namespace imago::host
