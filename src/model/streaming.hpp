// This file holds the common part of both mappings' predictions: the size of a kernel, and the time
// that its data needs through global memory.
#pragma once

#include "model/model.hpp"

namespace imago::model {

double element_bytes(const kernel::Step& step);  ///< bytes of a complex number
/// Returns the transforms of a launch.
double transforms(const kernel::Step& step, const kernel::Launch& launch);
/// Returns the seconds to load and to store all data once, at the bandwidth of the segments.
double streaming(const kernel::Step& step, const kernel::Launch& launch, const device::Facts& facts,
                 const device::Rates& rates, Cost& cost);
/// Returns the work of the busiest compute unit, divided by the average.
double imbalance(double groups, double units);

}  // namespace imago::model
