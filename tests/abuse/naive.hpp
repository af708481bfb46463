// This file holds every transform as its definition in include/imago/transform.hpp reads, in long
// double: a judge that shares nothing with imago or FFTW.
#pragma once

#include <vector>

#include "catalogue/case.hpp"

namespace imago::abuse {

/// The result of one member, scaled as the case says: from and to packed numbers, complex elements
/// as two, in the order of Repeated::for_each_word.
std::vector<long double> naive_transform(const catalogue::Case& problem,
                                         const std::vector<long double>& input);

/// Multiplications that it takes for the whole batch.
double naive_cost(const catalogue::Case& problem);

}  // namespace imago::abuse
