// This file removes personal data from a report, so that it can be sent to strangers. It keeps
// facts of the device, the build and the times, but not the machine's name or its folders.
#pragma once

#include <string>

#include "bench/bench.hpp"

namespace imago::bench {

/// Returns the report with only the facts that contain no personal data: no paths, no free text of
/// the environment, and only the day of the date. The reason why an engine rejected a case may
/// quote a path, so kRefused replaces it.
Report without_personal_data(const Report& report);
inline constexpr const char* kRefused = "refused";

/// Returns the report without personal data as JSON, which bench/submission.schema.json describes
/// and from_json() reads.
std::string to_submission(const Report& report);

/// Returns a file name from the device and the suite: "imago-nvidia-h200-quick.json".
std::string submission_name(const Report& report);

}  // namespace imago::bench
