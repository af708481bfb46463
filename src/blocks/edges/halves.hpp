// This file loads and stores the elements of prime fields (kernel::Halves).
#pragma once

#include "blocks/elements.hpp"

namespace imago::blocks {

Cx load_point(const kernel::Halves& edge, const Input& input, const Point& at,
              const Access& access);
void store_point(const kernel::Halves& edge, const Output& output, const Point& at, const Cx& x,
                 const Spread& spread);

}  // namespace imago::blocks
