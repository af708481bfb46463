// This file says which factors a precision holds.
#pragma once

#include <string>

#include <imago/transform.hpp>

namespace imago::problem {

/// Throws InvalidArgument for a number that is not finite, and for one that the precision that is
/// computed in makes infinite or loses digits of, because it is subnormal there: devices may take
/// that for 0. Zero passes.
void check_number(const std::string& field, double number, Precision precision);

/// Throws for 0, too.
void check_factor(const std::string& field, double factor, Precision precision);

}  // namespace imago::problem
