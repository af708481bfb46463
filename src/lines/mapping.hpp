// This file says which mapping suits a device.
#pragma once

#include <imago/parameters.hpp>

#include "device/facts.hpp"

namespace imago::lines {

/// The wish, or what suits the device.
Mapping mapping_of(Mapping wish, const device::Facts& facts);

}  // namespace imago::lines
