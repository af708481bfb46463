// This file holds what the predictions of both mappings share: a kernel's size and how long its
// data takes through global memory.
#pragma once

#include "model/model.hpp"

namespace imago::model {

double element_bytes(const kernel::Step& step);  ///< of a complex number
/// Transforms of a launch.
double transforms(const kernel::Step& step, const kernel::Launch& launch);
/// Seconds to load and to store everything once at the bandwidth of the segments.
double streaming(const kernel::Step& step, const kernel::Launch& launch, const device::Facts& facts,
                 const device::Rates& rates, Cost& cost);
/// Times the busiest compute unit has as much to do as the average one.
double imbalance(double groups, double units);

}  // namespace imago::model
