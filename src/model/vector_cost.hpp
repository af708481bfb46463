// This file predicts kernels whose lanes are components of vectors.
#pragma once

#include "model/model.hpp"

namespace imago::model {

Cost predict_vector(const plan::Step& step, const plan::Launch& launch, const device::Facts& facts);

}  // namespace imago::model
