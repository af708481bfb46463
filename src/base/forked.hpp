// This file records if this process may use OpenCL drivers. Their threads and locks do not survive
// fork(), and neither do imago's own locks, so that a call in the child could wait forever.
#pragma once

#include <atomic>

#include <imago/export.hpp>

namespace imago {
namespace base {

enum class DriverUse {
  none,  ///< not used yet
  used,  ///< used by this process
  lost   ///< used by the process that fork() made this one of
};

}  // namespace base

// Exported, so that all copies of this module in a process (libimago_tune has one of its own) share
// one variable. Constant before any constructor runs, and never destroyed.
extern IMAGO_API std::atomic<base::DriverUse> driver_use;  // NOLINT: the process has this state

namespace base {

/// True in a process that was forked after its parent had used a driver.
inline bool driver_is_lost() noexcept { return driver_use == DriverUse::lost; }
/// Throws DeviceError if driver_is_lost(). Call it in every public function before it waits for a
/// lock.
void check_driver();
/// Records that this process uses a driver; call it before a driver's first call. Throws as
/// check_driver().
void use_driver();

}  // namespace base
}  // namespace imago
