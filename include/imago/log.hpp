// This file lets a program hear what the library has to say. The library never prints by itself;
// with IMAGO_LOG=error|warning|info|debug in the environment, lines up to that severity go to
// stderr.
#pragma once

#include <functional>
#include <string>

#include <imago/export.hpp>

namespace imago {

/// Severity of a log line.
enum class LogLevel { error, warning, info, debug };
/// Receives what the library has to say (a cache that cannot be written, a stale profile). It may
/// be called from any thread, and an empty function restores the default: IMAGO_LOG, else silence.
IMAGO_API void set_log(std::function<void(LogLevel, const std::string&)> log);

}  // namespace imago
