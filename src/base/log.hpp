// This file sends log lines to whoever listens: the callback of set_log(), else stderr at the level
// that IMAGO_LOG names, else nobody.
#pragma once

#include <string>

#include <imago/log.hpp>

namespace imago::base {

/// True where a line of this level would be heard; asked before a costly text is built.
bool logs(LogLevel level);
void log(LogLevel level, const std::string& text);

}  // namespace imago::base
