// This file declares what the functions of imago.h share. Those of tune.h have a message of their
// own, and use only structs.hpp.
#pragma once

#include <imago/imago.h>

#include <imago/pool.hpp>
#include <imago/transform.hpp>

#include "base/thread_text.hpp"

namespace imago::capi {

/// Returns this thread's message of imago_last_error().
base::ThreadText& last_error();

/// Returns the device that the options choose, or the process's default for the precision. Throws
/// as find_device() and Pool.
Pool pool_of(const imago_options& options, Precision precision);

}  // namespace imago::capi
