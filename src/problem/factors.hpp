// This file checks that factors are in the range of a precision's arithmetic.
#pragma once

#include <string>

#include <imago/transform.hpp>

namespace imago::problem {

/// Throws InvalidArgument for a number that is not finite, or infinite or subnormal in the
/// precision of the arithmetic. Devices may treat subnormal numbers as 0. Accepts 0.
void check_number(const std::string& field, double number, Precision precision);

/// Throws InvalidArgument like check_number(), and also for 0.
void check_factor(const std::string& field, double factor, Precision precision);

}  // namespace imago::problem
