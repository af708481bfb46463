// This file holds De Smet's bound.
#include "model/locality.hpp"

#include <algorithm>
#include <cmath>

namespace imago::model {

double locality_bound(double peak, double length, double elements, unsigned passes) {
  return std::min(peak, 5 * std::log2(length) * elements / std::max(1u, passes));
}

}  // namespace imago::model
