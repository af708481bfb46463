// This file puts a program into words.
#pragma once

#include <array>
#include <string>

#include "kernel/program.hpp"
#include "lines/request.hpp"

namespace imago::plan {

/// The caller's names of a program's input and output.
using ArrayNames = std::array<const char*, 2>;

/// A line of text per launch, numbered from `first` on: algorithm, kernel, parameters, what it
/// reads and writes, bytes moved.
std::string describe(const kernel::Program& program, const lines::Request& request,
                     std::size_t first = 1, const ArrayNames& names = {"input", "output"});

}  // namespace imago::plan
