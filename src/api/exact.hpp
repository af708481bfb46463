// This file checks the bounds of exact convolutions.
#pragma once

#include <imago/exact.hpp>

namespace imago::api {

/// Throws InvalidArgument unless lengths are allowed and bounds prove that no sum exceeds the ring.
void check_shape(const IntegerConvolutionShape& shape);

}  // namespace imago::api
