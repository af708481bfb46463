// This file checks fields that descriptions of several kinds have: axes and factors.
#pragma once

#include <cstddef>
#include <string>

#include <imago/transform.hpp>

namespace imago::problem {

/// Throws InvalidArgument if the transform has no such dimension; `name` is the field.
void check_axis(const std::string& name, std::size_t axis, std::size_t dimensions,
                const char* of = "transform");

/// Throws InvalidArgument for a number that is not finite, or infinite or subnormal in the
/// precision of the arithmetic. Devices may treat subnormal numbers as 0. Accepts 0.
void check_number(const std::string& field, double number, Precision precision);

/// Throws InvalidArgument like check_number(), and also for 0.
void check_factor(const std::string& field, double factor, Precision precision);

}  // namespace imago::problem
