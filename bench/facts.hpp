// This file collects the conditions of a benchmark: device, driver, build, time, settings, and the
// environment variables that drivers, threads and caches read.
#pragma once

#include <string>
#include <string_view>

#include "bench/bench.hpp"
#include "bench/engines.hpp"

namespace imago::bench {

/// Removes the zeros and blanks that some drivers put around names.
std::string trimmed(std::string text);
/// Prefix of the fact of a missing engine; the reason follows it.
inline constexpr const char* kNotMeasured = "not measured";
/// Returns a fact, or an empty text.
std::string fact_in(const Facts& facts, std::string_view name);
/// True if the facts are those of a CPU, whose caches can be faster than a copy in memory.
bool is_processor(const Facts& facts);
/// Returns the device's name, or "AMD EPYC, 2 cores, PoCL 3.1" for PoCL, whose name of a device is
/// that of a compiler's target.
std::string machine_of(const Facts& facts);
Facts collect_facts(const Settings& settings, const Surroundings& around, const Facts& engines);

}  // namespace imago::bench
