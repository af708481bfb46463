// This file writes files atomically.
#include "base/files.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <system_error>

namespace imago::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporary = ".tmp";

/// Returns a temporary name that no other process or thread uses.
fs::path temporary_of(fs::path path) {
  path += '.' + std::to_string(::getpid()) + '-';
  path += std::to_string(std::random_device()()).append(kTemporary);
  return path;
}

}  // namespace

fs::path folder_from_environment(const char* name, const char* below) {
  const char* value = std::getenv(name);
  if (!value || !*value) return {};
  return *below ? fs::path(value) / below : fs::path(value);
}

NewFile::NewFile(const fs::path& path, mode_t mode)
    : path_(path),
      temporary_(temporary_of(path)),
      file_(temporary_, O_WRONLY | O_CREAT | O_EXCL, mode) {
  if (!file_) error_ = errno;
}

NewFile::~NewFile() {
  if (file_ && !committed_) ::unlink(temporary_.c_str());
}

void NewFile::write(std::string_view bytes) {
  while (error_ == 0 && !bytes.empty()) {
    const auto written = persist([&] { return ::write(file_.get(), bytes.data(), bytes.size()); });
    if (written < 0)
      error_ = errno;
    else
      bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Ignores EINVAL: some file systems cannot flush, and lose nothing by it.
void NewFile::flush() {
  if (error_ == 0 && persist([&] { return ::fsync(file_.get()); }) < 0 && errno != EINVAL)
    error_ = errno;
}

void NewFile::commit() {
  if (error_ != 0) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    error_ = errno;
  else
    committed_ = true;
}

void NewFile::commit_to_disk() {
  flush();
  commit();
  if (!committed_) return;
  const Descriptor folder(path_.has_parent_path() ? path_.parent_path() : ".", O_RDONLY);
  if (folder) persist([&] { return ::fsync(folder.get()); });  // its failure changes nothing
}

void remove_stale(const fs::path& folder, std::string_view prefix) {
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  const auto aged = [now](fs::file_time_type time) {
    return time < now - std::chrono::hours(1) || time > now + std::chrono::hours(1);
  };
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    const bool old = it->path().filename().string().starts_with(prefix) &&
                     it->path().extension() == kTemporary && aged(it->last_write_time(gone));
    if (old && !gone) fs::remove(it->path(), gone);
  }
}

}  // namespace imago::base
