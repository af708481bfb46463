// This file finds functions of shared libraries at run time: of plugins, and of libraries compared
// with.
#pragma once

#include <string>

namespace imago::bench {

/// Returns the function `name` of a shared library, which is never closed, because it contains the
/// contestants' code. Throws std::runtime_error if the library or the function is missing.
void* library_function(const std::string& file, const char* name);

/// Returns the function `name` of a plugin, which is next to the program or in a folder of
/// $IMAGO_BENCH_PEERS. Throws as library_function().
void* plugin_function(const std::string& file, const char* name);

}  // namespace imago::bench
