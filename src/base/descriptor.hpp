// This file holds an owner of an open file descriptor of the operating system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace imago::base {

/// The purpose of opening a file. `read` waits for the writer of a pipe, and `read_file` does not;
/// `update` makes a missing file; `create` fails if the file exists.
enum class Open { read, read_file, update, create };

/// Properties of an open file.
struct FileFacts {
  bool regular = false;
  bool pipe = false;       ///< a pipe or a socket, which must be read in order
  std::uint64_t size = 0;  ///< in bytes
};

/// An open file descriptor, or none. The destructor closes it, which also releases its lock.
/// Failing calls set errno. Calls that a signal interrupts are repeated.
class Descriptor {
 public:
  /// Opens a file; programs that this process starts do not inherit it. A new file gets the
  /// permissions `mode`, less the umask (POSIX only).
  Descriptor(const std::filesystem::path& path, Open open, unsigned mode = 0666);
  /// Takes over a descriptor that is already open; a negative one means that opening failed.
  explicit Descriptor(int open) : value_(open) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  /// Return another descriptor of standard input or output, in binary mode.
  static int standard_input();
  static int standard_output();
  /// Returns the descriptor of a new file of a folder that has no name or loses it when it is
  /// closed.
  static int nameless(const std::filesystem::path& folder);
  /// Returns another descriptor of the same open file.
  int duplicate() const;

  /// True if the file is open; if not, errno holds the reason.
  explicit operator bool() const { return value_ >= 0; }
  int get() const { return value_; }

  std::optional<FileFacts> facts() const;
  /// True if the file is at its start.
  bool at_start() const;
  /// Reads the next bytes. Returns their number, 0 at the end of the file, -1 after an error.
  std::ptrdiff_t read(char* bytes, std::size_t count) const;
  /// Reads bytes from an offset, as read() does.
  std::ptrdiff_t read_at(std::uint64_t from, char* bytes, std::size_t count) const;
  /// Writes all bytes; false after an error.
  bool write(std::string_view bytes) const;
  /// Flushes the contents to the disk. True, too, if the file system cannot flush.
  bool flush() const;
  /// Waits for an exclusive lock of the file.
  bool lock() const;

 private:
  int value_;
};

}  // namespace imago::base
