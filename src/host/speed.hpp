// This file measures how fast a device computes members of a batch.
#pragma once

#include <cstddef>

#include <imago/plan.hpp>

#include "host/lanes.hpp"

namespace imago::host {

/// Members per second of a part of the batch, in the lane's queue and memory of the device's.
double members_per_second(const Lane& lane, Transform transform, const Options& options);

}  // namespace imago::host
