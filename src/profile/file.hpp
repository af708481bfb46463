// This file keeps profiles in files. Whatever happens while one is written (a full disk, a killed
// program, another writer), the file is the whole old profile or the whole new one.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "profile/profile.hpp"

namespace imago::profile {

/// Reads a regular file of at most 16 MiB. Throws ProfileError naming file, place and reason.
Profile load(const std::filesystem::path& path);

/// Writes a file of its own in the same folder (which is made where it is missing), flushes it to
/// the disk and renames it. Throws ProfileError; the old file is then as it was.
void save(const std::filesystem::path& path, const Profile& profile);

/// Gives `change` the profile that the file holds (none where there is no file, or where it cannot
/// be read, which is logged), and saves what it gives back. Between reading and writing no other
/// update() of the file runs, in this process or another: a lock on "<path>.lock", which stays.
void update(const std::filesystem::path& path,
            const std::function<Profile(const std::optional<Profile>&)>& change);

/// update() by merge(): what a tuner does with what it measured.
void add(const std::filesystem::path& path, const Profile& measured);

}  // namespace imago::profile
