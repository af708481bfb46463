// This file asks for huge pages.
#pragma once

#include <cstddef>

namespace imago::base {

/// The size of a huge page on most processors.
inline constexpr std::size_t kHugePage = std::size_t{1} << 21;

/// Asks the system for huge pages; it may ignore that. The memory begins and ends with one.
void use_huge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace imago::base
