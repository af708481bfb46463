// This file says things once per process: what is wrong with a folder is worth one line, not one
// per kernel.
#pragma once

#include <string>

namespace imago::base {

/// Logs a warning, unless the same text was logged by it before.
void warn_once(const std::string& text);

}  // namespace imago::base
