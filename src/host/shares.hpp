// This file divides a batch by the speed of devices.
#pragma once

#include <cstddef>
#include <vector>

namespace imago::host {

/// Members for each device: in proportion to `rates` (members per second), all of `batch` together.
/// Rates that differ by less than a measurement does count as equal.
std::vector<std::size_t> shares(std::size_t batch, std::vector<double> rates);

}  // namespace imago::host
