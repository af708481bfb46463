// This file releases memory that imago keeps.
#pragma once

#include <imago/export.hpp>

namespace imago {

/// Releases what this process keeps for later calls: the bytes of compiled kernels, and the plans,
/// queues and device memory of the functions of fft.hpp and dct.hpp (the 64 plans used last of each
/// precision, while their scratch is below an eighth of the device's memory), which find their
/// device anew. Programs and tables that a plan uses live as long as it does. Safe while other
/// calls are under way.
IMAGO_API void release_memory();

}  // namespace imago
