// This file declares the parts of a report that each operating system answers in its own way.
#pragma once

#include <string>

#include "report_facts.hpp"

namespace imago::command {

/// Says why there is no cache folder.
extern const char* const kNoCacheFolder;

/// Returns the system, its version, the processor and the memory; nothing that names the machine.
Json machine_facts();

/// Returns the OpenCL drivers that are registered with the loader.
Json installed_drivers();

/// Returns the file of the loader of OpenCL; empty if it is unknown.
std::string loader_file();

/// Returns a function of this program or its libraries; null if there is none of that name.
void* loaded_function(const char* name);

}  // namespace imago::command
