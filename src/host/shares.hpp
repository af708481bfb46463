// This file divides a batch by the measured speed of devices.
#pragma once

#include <cstddef>
#include <vector>

#include <imago/plan.hpp>

#include "host/queue_sets.hpp"

namespace imago::host {

/// Returns the batch elements per second of a device, measured with a part of the batch in its
/// queue and memory.
double members_per_second(const QueueSet& queues, Transform transform, const Options& options);

/// Returns the number of batch elements for each device, in proportion to `rates` (batch elements
/// per second). Their sum is `batch`. Rates that differ by less than the measurement error count as
/// equal.
std::vector<std::size_t> shares(std::size_t batch, std::vector<double> rates);

}  // namespace imago::host
