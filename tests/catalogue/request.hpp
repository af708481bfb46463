// This file asks the planner for cases. Apart from cases, which benchmarks are made of, too.
#pragma once

#include "catalogue/case.hpp"
#include "lines/request.hpp"

namespace imago::catalogue {

/// Returns what the planner is asked for: only of one complex dimension without strides.
lines::Request request_of(const Case& described);

}  // namespace imago::catalogue
