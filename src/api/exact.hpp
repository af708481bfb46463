// This file checks the bounds of exact convolutions.
#pragma once

#include <imago/exact.hpp>

namespace imago::api {

/// Throws InvalidArgument unless lengths are allowed and bounds prove that no sum is too large.
void check_shape(const IntegerConvolutionShape& shape);

/// Returns true if bounds, which are at most 2^63, prove that no sum is too large.
bool is_proved(const IntegerConvolutionShape& shape);

/// Returns true if a convolution, whose shape is checked, takes a second ring.
bool takes_two_rings(const IntegerConvolutionShape& shape);

}  // namespace imago::api
