// This file implements the reading of files and pipes, and atomic writing.
#include "formats/file.hpp"

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/system.hpp"
#include "base/text.hpp"

namespace imago::formats {
namespace fs = std::filesystem;
namespace {

/// Throws unless the path can be opened without waiting for ever, and can be read.
void require_file(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) fail(path.string(), "there is no such file");
  if (error) fail(path.string(), error.message());
  if (!fs::is_regular_file(status) && !fs::is_fifo(status))
    fail(path.string(), "is neither a regular file nor a pipe");
}

}  // namespace

std::string output_name(const std::string& path) {
  return path == kStandard ? "standard output" : base::printable(path);
}

std::string ending_of(const fs::path& path) { return base::lower_case(path.extension().string()); }

OutputFile::OutputFile(const fs::path& path) {
  if (path == kStandard) return;
  std::error_code error;
  path_ = fs::weakly_canonical(path, error);  // resolves a link: the link stays, and its target is
                                              // replaced
  if (error) fail(path.string(), "cannot be written: " + error.message());
  replaces_ = fs::exists(path_);
  if (replaces_ && !fs::is_regular_file(path_))
    fail(path.string(), "cannot be written: it exists and is not a regular file");
  temporary_ = path_;
  temporary_ += ".part" + std::to_string(base::process_id());
  errno = 0;
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail(path.string(), "cannot be written: " + reason());
}

OutputFile::OutputFile(const std::string& path) : OutputFile(base::path_of(path)) {}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;  // after commit()
  stream_.close();                 // Windows removes no open file
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void OutputFile::write(std::string_view bytes) {
  if (path_.empty()) {
    errno = 0;
    const base::Descriptor output(base::Descriptor::standard_output());
    if (!output || !output.write(bytes)) fail("standard output", "cannot be written: " + reason());
    return;
  }
  errno = 0;
  stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream_) fail(path_.string(), "cannot be written: " + reason());
}

void OutputFile::replace_start(std::string_view bytes) {
  if (path_.empty()) return;
  stream_.seekp(0);
  write(bytes);
  stream_.seekp(0, std::ios::end);
}

void OutputFile::commit() {
  if (path_.empty()) return;
  errno = 0;
  stream_.close();
  if (!stream_) fail(path_.string(), "cannot be written: " + reason());
  if (const int error = base::replace_file(temporary_, path_); error != 0)
    fail(path_.string(), "cannot be written: " + std::generic_category().message(error));
  temporary_.clear();
}

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

std::string input_name(const fs::path& path) {
  return path == kStandard ? "standard input" : path.string();
}

std::string input_name(const std::string& path) { return input_name(base::path_of(path)); }

InputFile::InputFile(const fs::path& path) : name_(input_name(path)) {
  if (path == kStandard) {
    file_.emplace(base::Descriptor::standard_input());
  } else {
    require_file(path);
    file_.emplace(path, base::Open::read);
  }
  if (!*file_) fail(name_, "cannot be opened: " + reason());
  const auto about = file_->facts();
  if (!about) fail(name_, reason());
  if (!about->pipe && !about->regular) fail(name_, "is neither a regular file nor a pipe");
  if (about->pipe || !file_->at_start())
    copy();
  else
    size_ = about->size;
}

InputFile::InputFile(const std::string& path) : InputFile(base::path_of(path)) {}

void InputFile::copy() {
  std::error_code ignored;
  const fs::path folder = fs::temp_directory_path(ignored);
  const auto cannot_keep = [&] {
    fail(name_, "cannot be kept in " + folder.string() + ": " + reason());
  };
  const base::Descriptor whole(base::Descriptor::nameless(folder));
  if (!whole) cannot_keep();
  std::string part(std::size_t{1} << 16, '\0');
  for (;;) {
    const auto got = file_->read(part.data(), part.size());
    if (got < 0) fail(name_, "cannot be read: " + reason());
    if (got == 0) break;
    const auto count = static_cast<std::size_t>(got);
    if (!whole.write(std::string_view(part).substr(0, count))) cannot_keep();
    size_ += count;
  }
  file_.emplace(whole.duplicate());
}

void InputFile::read(std::uint64_t from, char* bytes, std::size_t count) {
  while (count > 0) {
    const auto got = file_->read_at(from, bytes, count);
    if (got < 0) fail(name_, "cannot be read: " + reason());
    if (got == 0) fail(name_, "cannot be read: it is shorter than it was");
    const auto done = static_cast<std::size_t>(got);
    bytes += done, count -= done, from += done;
  }
}

ByteSource bytes_of(std::shared_ptr<InputFile> file) {
  const std::uint64_t size = file->size();
  return {size, [file = std::move(file)](std::uint64_t from, char* bytes, std::size_t count) {
            file->read(from, bytes, count);
          }};
}

ByteSource bytes_of(const std::string& bytes) {
  return {bytes.size(), [&bytes](std::uint64_t from, char* to, std::size_t count) {
            bytes.copy(to, count, from);
          }};
}

std::string read_file(const fs::path& path) {
  InputFile file(path);
  std::string bytes(file.size(), '\0');
  file.read(0, bytes.data(), bytes.size());
  return bytes;
}

std::string read_file(const std::string& path) { return read_file(base::path_of(path)); }

}  // namespace imago::formats
