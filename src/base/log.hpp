// This file sends log lines to the callback of set_log(); without one, to stderr at the level that
// IMAGO_LOG names; otherwise nowhere.
#pragma once

#include <string>

#include <imago/log.hpp>

namespace imago::base {

/// True if lines of this level are delivered. Ask before you build a costly text.
bool logs(LogLevel level);
void log(LogLevel level, const std::string& text);

}  // namespace imago::base
