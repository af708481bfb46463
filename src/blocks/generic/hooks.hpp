// This file emits the generic kernel of hooks (kernel/generic_hooks.hpp).
#pragma once

#include "blocks/frame.hpp"

namespace imago::blocks::generic {

void apply_hooks(const Frame& frame);

}  // namespace imago::blocks::generic
