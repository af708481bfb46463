// This file reads and replaces the files of profiles.
#include "profile/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

#include "base/errors.hpp"
#include "base/log.hpp"
#include "profile/json_tree.hpp"
#include "profile/read.hpp"
#include "profile/write.hpp"

namespace imago::profile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporary = ".tmp";

[[noreturn]] void fail(const fs::path& path, const char* what, int code) {
  base::profile_error(path.string(), what, std::generic_category().message(code));
}

/// An open file; closing it also gives back its lock.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags)
      : value_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  explicit operator bool() const { return value_ >= 0; }
  int get() const { return value_; }

 private:
  int value_;
};

/// Repeats a call that a signal interrupts.
template <class Call>
auto persist(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// 0, or the error. Some file systems cannot flush (EINVAL), and lose nothing by it.
int flush(const Descriptor& file) {
  return persist([&] { return ::fsync(file.get()); }) < 0 && errno != EINVAL ? errno : 0;
}

/// 0, or the error.
int write_all(const Descriptor& file, std::string_view text) {
  while (!text.empty()) {
    const auto written = persist([&] { return ::write(file.get(), text.data(), text.size()); });
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return flush(file);
}

void make_folder_of(const fs::path& path) {
  std::error_code error;
  const fs::path folder = path.parent_path();
  if (folder.empty()) return;
  fs::create_directories(folder, error);
  if (error) fail(path, "its folder cannot be made", error.value());
}

/// What killed writers left behind more than an hour ago.
void remove_stale(const fs::path& path) {
  std::error_code error;
  const auto stale = fs::file_time_type::clock::now() - std::chrono::hours(1);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string prefix = path.filename().string() + ".";
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    const bool ours = it->path().filename().string().starts_with(prefix) &&
                      it->path().extension() == kTemporary && it->last_write_time(gone) < stale;
    if (ours && !gone) fs::remove(it->path(), gone);
  }
}

}  // namespace

Profile load(const fs::path& path) {
  const Descriptor file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);  // a pipe must not stop us
  if (!file) fail(path, "cannot be read", errno);
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) fail(path, "cannot be read", errno);
  if (!S_ISREG(about.st_mode))
    base::profile_error(path.string(), "the file", "a regular file is expected");
  std::string text;
  char part[1 << 16];
  while (text.size() <= kMostBytes) {  // parse() says what is wrong with more
    const auto count = persist([&] { return ::read(file.get(), part, sizeof part); });
    if (count < 0) fail(path, "cannot be read", errno);
    if (count == 0) break;
    text.append(part, static_cast<std::size_t>(count));
  }
  return parse(text, path.string());
}

void save(const fs::path& path, const Profile& profile) {
  const std::string text = to_text(profile);
  make_folder_of(path);
  fs::path temporary = path;
  temporary += '.' + std::to_string(::getpid()) + '-';
  temporary += std::to_string(std::random_device()()).append(kTemporary);
  int code = 0;
  {
    const Descriptor file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (!file) fail(path, "cannot be written", errno);
    code = write_all(file, text);
  }
  if (code == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) code = errno;
  if (code != 0) {
    ::unlink(temporary.c_str());
    fail(path, "cannot be written", code);
  }
  const Descriptor folder(path.has_parent_path() ? path.parent_path() : ".", O_RDONLY);
  if (folder) flush(folder);  // makes the rename last; a failure takes nothing back
}

void update(const fs::path& path,
            const std::function<Profile(const std::optional<Profile>&)>& change) {
  make_folder_of(path);
  fs::path side = path;
  side += ".lock";
  const Descriptor lock(side, O_RDWR | O_CREAT);
  if (!lock) fail(path, "its lock cannot be made", errno);
  if (persist([&] { return ::flock(lock.get(), LOCK_EX); }) < 0)
    fail(path, "cannot be locked", errno);
  remove_stale(path);
  std::optional<Profile> before;
  std::error_code error;
  if (fs::exists(path, error)) {
    try {
      before = load(path);
    } catch (const ProfileError& damage) {
      base::log(LogLevel::warning, std::string("a profile is replaced: ") + damage.what());
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
