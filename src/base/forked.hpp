// This file records if this process may use OpenCL drivers. Their threads and locks do not survive
// fork(), and neither do imago's own locks, so that a call in the child could wait forever.
#pragma once

#include <atomic>

namespace imago::base {

enum class DriverUse {
  none,  ///< not used yet
  used,  ///< used by this process
  lost   ///< used by the process that fork() made this one of
};
// Constant before any constructor runs, and never destroyed.
extern std::atomic<DriverUse> driver_use;  // NOLINT: it is the process that has this state

/// True in a process that was forked after its parent had used a driver.
inline bool driver_is_lost() noexcept { return driver_use == DriverUse::lost; }
/// Throws DeviceError if driver_is_lost(). Call it in every public function before it waits for a
/// lock.
void check_driver();
/// Records that this process uses a driver; call it before a driver's first call. Throws as
/// check_driver().
void use_driver();

}  // namespace imago::base
