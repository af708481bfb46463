// This file reads and replaces profile files.
#include "profile/file.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include "base/descriptor.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "profile/json_tree.hpp"
#include "profile/read.hpp"
#include "profile/write.hpp"

namespace imago::profile {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const char* what, int code) {
  base::profile_error(path.string(), what, std::generic_category().message(code));
}

void make_folder_of(const fs::path& path) {
  std::error_code error;
  const fs::path folder = path.parent_path();
  if (folder.empty()) return;
  fs::create_directories(folder, error);
  if (error) fail(path, "its folder cannot be made", error.value());
}

}  // namespace

Profile load(const fs::path& path) {
  const base::Descriptor file(path, base::Open::read_file);
  if (!file) fail(path, "cannot be read", errno);
  const auto about = file.facts();
  if (!about) fail(path, "cannot be read", errno);
  if (!about->regular) base::profile_error(path.string(), "the file", "it must be a regular file");
  std::string text;
  char part[1 << 16];
  while (text.size() <= kMostBytes) {  // parse() reports larger texts
    const auto count = file.read(part, sizeof part);
    if (count < 0) fail(path, "cannot be read", errno);
    if (count == 0) break;
    text.append(part, static_cast<std::size_t>(count));
  }
  return parse(text, path.string());
}

void save(const fs::path& path, const Profile& profile) {
  const std::string text = to_text(profile);
  make_folder_of(path);
  base::NewFile file(path);
  file.write(text);
  file.commit_to_disk();
  if (file.error() != 0) fail(path, "cannot be written", file.error());
}

void update(const fs::path& path,
            const std::function<Profile(const std::optional<Profile>&)>& change) {
  make_folder_of(path);
  fs::path side = path;
  side += ".lock";
  const base::Descriptor lock(side, base::Open::update);
  if (!lock) fail(path, "its lock cannot be made", errno);
  if (!lock.lock()) fail(path, "cannot be locked", errno);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  base::remove_stale(folder, path.filename().string() + ".");
  std::optional<Profile> before;
  std::error_code error;
  if (fs::exists(path, error)) {
    try {
      before = load(path);
    } catch (const ProfileError& damage) {
      base::log(LogLevel::warning,
                std::string("replaced a profile that cannot be read: ") + damage.what());
    }
  }
  save(path, change(before));
}

void add(const fs::path& path, const Profile& measured) {
  update(path, [&](const std::optional<Profile>& before) {
    return merge(before.value_or(Profile{measured.device, measured.generator, {}, {}}), measured);
  });
}

}  // namespace imago::profile
