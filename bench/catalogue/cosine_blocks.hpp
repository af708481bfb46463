// This file holds cosine and sine transforms along several axes, and transforms that one kernel
// arranges in local memory.
#pragma once

#include <vector>

#include "catalogue/case.hpp"

namespace imago::catalogue {

std::vector<Case> cosine_blocks();

}  // namespace imago::catalogue
