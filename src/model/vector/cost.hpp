// This file predicts kernels whose lanes are components of vectors.
#pragma once

#include "model/model.hpp"

namespace imago::model {

Cost predict(const kernel::Vectors& vectors, const kernel::Step& step, const kernel::Launch& launch,
             const device::Facts& facts);

}  // namespace imago::model
