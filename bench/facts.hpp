// This file collects the conditions of a benchmark: device, driver, build, time, settings, and the
// environment variables that drivers, threads and caches read.
#pragma once

#include <string>

#include "bench/bench.hpp"
#include "bench/engines.hpp"

namespace imago::bench {

/// Removes the zeros and blanks that some drivers put around names.
std::string trimmed(std::string text);
/// Prefix of the fact of a missing engine; the reason follows it.
inline constexpr const char* kNotMeasured = "not measured";
Facts collect_facts(const Settings& settings, const Surroundings& around, const Facts& engines);

}  // namespace imago::bench
