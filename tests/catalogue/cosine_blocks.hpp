// This file holds cosine and sine transforms along several axes, and transforms that one kernel
// arranges in local memory.
#pragma once

#include <vector>

#include "catalogue/case.hpp"

namespace imago::catalogue {

/// `f64`: true if the device has it.
std::vector<Case> cosine_blocks(bool f64);

}  // namespace imago::catalogue
