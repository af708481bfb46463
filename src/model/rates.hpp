// This file completes a device's rates: what was not measured is guessed from its type and size.
#pragma once

#include "device/facts.hpp"

namespace imago::model {

/// facts.rates with a default for every figure that is zero.
device::Rates rates_of(const device::Facts& facts);

}  // namespace imago::model
