// This file implements atomic writing of files.
#include "formats/file.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/descriptor.hpp"
#include "base/system.hpp"
#include "base/text.hpp"

namespace imago::formats {
namespace fs = std::filesystem;

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

}  // namespace imago::formats
