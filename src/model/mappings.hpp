// This file names the two halves of the model: what a mapping of lanes costs.
#pragma once

#include "model/model.hpp"

namespace imago::model {

Cost predict_work_group(const plan::Step& step, const plan::Launch& launch,
                        const device::Facts& facts);
Cost predict_vector(const plan::Step& step, const plan::Launch& launch, const device::Facts& facts);

/// What both share.
double element_bytes(const plan::Step& step);  ///< of a complex number
double transforms(const plan::Step& step, const plan::Launch& launch);
/// Seconds to load and to store everything once at the bandwidth of the segments.
double streaming(const plan::Step& step, const plan::Launch& launch, const device::Facts& facts,
                 const device::Rates& rates, Cost& cost);
/// Times the busiest compute unit has as much to do as the average one.
double imbalance(double groups, double units);

}  // namespace imago::model
