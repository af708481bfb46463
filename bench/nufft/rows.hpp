// This file holds the problems that the benchmark of nonuniform transforms measures, and their
// data.
#pragma once

#include <string>
#include <vector>

#include "bench/nufft/problem.hpp"

namespace imago::bench::nufft {

/// Returns the problems of a list (`cpu`, `gpu`, `radial`) or of a row such as
/// `1024x1024:4194304:f32:1e-3:uniform`. Throws std::invalid_argument for other texts.
std::vector<Problem> problems_of(const std::string& text);

std::string shape_text(const Problem& problem);         ///< for example "1024x1024"
std::string tolerance_text(const Problem& problem);     ///< for example "1e-03"
const char* distribution_text(const Problem& problem);  ///< for example "uniform"
const char* precision_text(const Problem& problem);     ///< "f32" or "f64"

/// Returns the data of a problem; equal problems have equal data.
Data make_data(const Problem& problem);

}  // namespace imago::bench::nufft
