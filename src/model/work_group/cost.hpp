// This file predicts kernels whose lanes are work-items.
#pragma once

#include "model/model.hpp"

namespace imago::model {

Cost predict(const kernel::WorkGroup& group, const kernel::Step& step, const kernel::Launch& launch,
             const device::Facts& facts);

}  // namespace imago::model
