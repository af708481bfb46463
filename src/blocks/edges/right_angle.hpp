// This file loads and stores the halves of lines that are convolved at a right angle
// (kernel::RightAngle).
#pragma once

#include "blocks/elements.hpp"

namespace imago::blocks {

Cx load_point(const kernel::RightAngle& edge, const Input& input, const Point& at,
              const Access& access);
void store_point(const kernel::RightAngle& edge, const Output& output, const Point& at, const Cx& x,
                 const Spread& spread);

}  // namespace imago::blocks
