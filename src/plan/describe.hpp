// This file puts a program into words.
#pragma once

#include <string>

#include "plan/program.hpp"
#include "plan/request.hpp"

namespace imago::plan {

/// A line of text per launch, numbered from `first` on: algorithm, kernel, parameters, bytes moved.
std::string describe(const Program& program, const Request& request, std::size_t first = 1);

}  // namespace imago::plan
