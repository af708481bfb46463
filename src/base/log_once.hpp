// This file logs a message once per process. A problem with a folder, for example, deserves one
// line, not one per kernel.
#pragma once

#include <string>

namespace imago::base {

/// Logs a warning, unless this function logged the same text before.
void warn_once(const std::string& text);

}  // namespace imago::base
