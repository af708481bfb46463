// This file declares a function that releases memory that imago caches.
#pragma once

#include <imago/export.hpp>

namespace imago {

/// Releases the memory that this process caches for later calls:
/// - the binaries of compiled kernels, and on PoCL the generic kernels of up to four contexts;
/// - the plans, queues and device memory of the functions of fft.hpp and dct.hpp. Up to 64 plans of
///   each precision are cached, with workspaces of up to an eighth of the device's memory. The next
///   call of these functions chooses its device anew.
///
/// Programs and tables that a plan uses live as long as the plan. You may call it while other calls
/// run. Does nothing in a process that was forked after its parent had used a device.
IMAGO_API void release_memory();

}  // namespace imago
