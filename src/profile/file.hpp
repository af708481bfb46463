// This file stores profiles (tuning files) in files. Writing is atomic: after a full disk, a killed
// program or another writer, the file is the whole old profile or the whole new one.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "profile/profile.hpp"

namespace imago::profile {

/// Reads a regular file of at most 16 MiB. Throws ProfileError with the file, the place and the
/// reason.
Profile load(const std::filesystem::path& path);

/// Writes a temporary file in the same folder (made if missing), flushes it to the disk and renames
/// it. Throws ProfileError; the old file is then unchanged.
void save(const std::filesystem::path& path, const Profile& profile);

/// Calls `change` with the profile in the file and saves the result. The argument is nullopt if no
/// file exists or if it cannot be read, which is logged. No other update() of the file runs between
/// reading and writing, in this process or another, because of a lock on "<path>.lock", which is
/// not removed.
void update(const std::filesystem::path& path,
            const std::function<Profile(const std::optional<Profile>&)>& change);

/// Calls update() with merge(). Tuners use it to add their measurements.
void add(const std::filesystem::path& path, const Profile& measured);

}  // namespace imago::profile
