// This file implements every transform by its definition in include/imago/transform.hpp, in long
// double. It shares no code with imago or FFTW.
#pragma once

#include <vector>

#include "catalogue/case.hpp"

namespace imago::abuse {

/// Returns the result of one member, scaled as the case requires. Input and output are packed
/// numbers, two per complex element, in the order of Repeated::for_each_word.
std::vector<long double> naive_transform(const catalogue::Case& problem,
                                         const std::vector<long double>& input);

/// Returns the number of multiplications for the whole batch.
double naive_cost(const catalogue::Case& problem);

}  // namespace imago::abuse
