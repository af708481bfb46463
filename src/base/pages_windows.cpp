// This file implements huge pages for Windows, which reserves them for administrators.
#include "base/pages.hpp"

namespace imago::base {

void use_huge_pages(void*, std::size_t) noexcept {}

}  // namespace imago::base
