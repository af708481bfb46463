// This file holds cosine and sine transforms along several axes, and such as one kernel arranges in
// local memory.
#pragma once

#include <vector>

#include "catalogue/case.hpp"

namespace imago::catalogue {

/// f64: whether the device has it.
std::vector<Case> cosine_blocks(bool f64);

}  // namespace imago::catalogue
