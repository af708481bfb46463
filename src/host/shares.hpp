// This file divides a batch by the speed of devices, which it measures.
#pragma once

#include <cstddef>
#include <vector>

#include <imago/plan.hpp>

#include "host/queue_sets.hpp"

namespace imago::host {

/// Members per second of a part of the batch, in the queue and the memory of a device.
double members_per_second(const QueueSet& queues, Transform transform, const Options& options);

/// Members for each device: in proportion to `rates` (members per second), all of `batch` together.
/// Rates that differ by less than a measurement does count as equal.
std::vector<std::size_t> shares(std::size_t batch, std::vector<double> rates);

}  // namespace imago::host
