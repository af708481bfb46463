// This file implements huge pages for Windows, which reserves them for administrators.
#include "small/pages.hpp"

namespace imago::small {

void use_huge_pages(void*, std::size_t) noexcept {}

}  // namespace imago::small
