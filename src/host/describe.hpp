// This file tells in words how a direction is computed.
#pragma once

#include <string>

#include "host/course.hpp"

namespace imago::host {

/// A line for each round: "forward: 8 pieces of shapes 0 and 1, 3 at a time on each device".
std::string describe(const Course& course, const std::string& direction);

}  // namespace imago::host
