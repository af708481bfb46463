// This file completes a device's rates: it estimates values that were not measured from the
// device's type and size.
#pragma once

#include "device/facts.hpp"

namespace imago::model {

/// Returns facts.rates with a default for every value that is zero.
device::Rates rates_of(const device::Facts& facts);

}  // namespace imago::model
