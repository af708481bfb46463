// This file predicts kernels whose lanes are work-items.
#pragma once

#include "model/model.hpp"

namespace imago::model {

Cost predict_work_group(const plan::Step& step, const plan::Launch& launch,
                        const device::Facts& facts);

}  // namespace imago::model
