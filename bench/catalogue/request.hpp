// This file converts cases to requests to the planner. It is separate from cases, which benchmarks
// also use.
#pragma once

#include "catalogue/case.hpp"
#include "lines/request.hpp"

namespace imago::catalogue {

/// Returns the request for a case; only for one complex dimension without strides.
lines::Request request_of(const Case& described);

}  // namespace imago::catalogue
