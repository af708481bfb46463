// This file collects what a benchmark's numbers depend on: device, driver, build, time, settings
// and the environment variables that drivers, threads and caches read.
#pragma once

#include <string>

#include "bench/bench.hpp"
#include "bench/engines.hpp"

namespace imago::bench {

/// Without the zeros and blanks that some drivers put around names.
std::string trimmed(std::string text);
/// How the fact of an engine begins that a run goes without; the reason comes behind it.
inline constexpr const char* kNotMeasured = "not measured";
Facts collect_facts(const Settings& settings, const Surroundings& around, const Facts& engines);

}  // namespace imago::bench
