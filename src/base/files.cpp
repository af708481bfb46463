// This file writes files atomically.
#include "base/files.hpp"

#include <cerrno>
#include <chrono>
#include <random>
#include <system_error>

#include "base/system.hpp"

namespace imago::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporary = ".tmp";

/// Returns a temporary name that no other process or thread uses.
fs::path temporary_of(fs::path path) {
  path += '.' + std::to_string(process_id()) + '-';
  path += std::to_string(std::random_device()()).append(kTemporary);
  return path;
}

}  // namespace

NewFile::NewFile(const fs::path& path, unsigned mode)
    : path_(path), temporary_(temporary_of(path)), file_(temporary_, Open::create, mode) {
  if (!file_) error_ = errno;
}

NewFile::~NewFile() {
  std::error_code ignored;
  if (file_ && !committed_) fs::remove(temporary_, ignored);
}

void NewFile::write(std::string_view bytes) {
  if (error_ == 0 && !file_.write(bytes)) error_ = errno;
}

void NewFile::commit() {
  if (error_ != 0) return;
  error_ = replace_file(temporary_, path_);
  committed_ = error_ == 0;
}

void NewFile::commit_to_disk() {
  if (error_ == 0 && !file_.flush()) error_ = errno;
  commit();
  if (committed_) flush_folder(path_.has_parent_path() ? path_.parent_path() : ".");
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
