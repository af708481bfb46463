// This file declares the log of the library. By default the library prints nothing. With
// IMAGO_LOG=error|warning|info|debug in the environment, it prints lines up to that severity to
// stderr.
#pragma once

#include <functional>
#include <string>

#include <imago/export.hpp>
#include <imago/standard_library.hpp>

namespace imago {

/// Severity of a log line.
enum class LogLevel { error, warning, info, debug };
/// Sets the function that receives the library's log lines, such as a cache that cannot be written
/// or a stale profile. The library calls it from any thread. An empty function restores the
/// default: stderr if IMAGO_LOG is set, else nothing.
IMAGO_API void set_log(std::function<void(LogLevel, const std::string&)> log);

}  // namespace imago
