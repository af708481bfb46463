// This file formats a program as text.
#pragma once

#include <array>
#include <string>

#include "kernel/program.hpp"
#include "lines/request.hpp"

namespace imago::plan {

/// The caller's names for a program's input and output.
using ArrayNames = std::array<const char*, 2>;

/// Returns one line of text for each launch, numbered starting at `first`: algorithm, kernel,
/// parameters, input and output, bytes moved.
std::string describe(const kernel::Program& program, const lines::Request& request,
                     std::size_t first = 1, const ArrayNames& names = {"input", "output"});

}  // namespace imago::plan
