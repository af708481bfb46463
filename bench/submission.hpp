// This file makes of a report what may be sent to strangers: facts of the device, the build and the
// times, and nothing of the person, the machine's name or its folders.
#pragma once

#include <string>

#include "bench/bench.hpp"

namespace imago::bench {

/// The report with those facts alone that are known to say nothing of a person: no paths, no free
/// text of the environment, of the date the day. What an engine refused has the word kRefused in
/// the place of the reason, which may quote a path.
Report without_personal_data(const Report& report);
inline constexpr const char* kRefused = "refused";

/// The same as JSON: what bench/submission.schema.json describes, a report that from_json() reads.
std::string to_submission(const Report& report);

/// A name for its file, of the device and the suite: "imago-nvidia-h200-quick.json".
std::string submission_name(const Report& report);

}  // namespace imago::bench
