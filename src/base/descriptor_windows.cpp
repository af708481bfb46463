// This file implements Descriptor with Windows' descriptors of the C run time, which own handles.
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "base/descriptor.hpp"
#include "base/windows.hpp"

namespace imago::base {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1}
                                   << 30;  ///< maximum of a call, which counts in 32 bits

HANDLE handle_of(int file) { return reinterpret_cast<HANDLE>(::_get_osfhandle(file)); }

/// Returns -1 and sets errno.
int failed(DWORD error = ::GetLastError()) {
  errno = errno_of(error);
  return -1;
}

/// Makes a descriptor of a handle, and owns it.
int adopted(HANDLE handle, int flags) {
  if (handle == INVALID_HANDLE_VALUE) return failed();
  const int file = ::_open_osfhandle(reinterpret_cast<intptr_t>(handle), flags | _O_BINARY);
  if (file < 0) ::CloseHandle(handle);
  return file;
}

int duplicated(HANDLE handle) {
  HANDLE copy = INVALID_HANDLE_VALUE;
  const HANDLE self = ::GetCurrentProcess();
  if (!::DuplicateHandle(self, handle, self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS))
    return failed();
  return adopted(copy, _O_RDWR);
}

int opened(const wchar_t* path, Open open) {
  constexpr DWORD kWrite = GENERIC_WRITE | DELETE;  // DELETE lets a commit rename it
  switch (open) {
    case Open::read:
    case Open::read_file:
      // Opens folders, too, so that facts() tells what it is.
      return adopted(open_shared(path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS),
                     _O_RDONLY);
    case Open::update:
      return adopted(
          open_shared(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL),
          _O_RDWR);
    case Open::create:
      break;
  }
  return adopted(open_shared(path, kWrite, CREATE_NEW, FILE_ATTRIBUTE_NORMAL), _O_WRONLY);
}

}  // namespace

int errno_of(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
      return ENOENT;
    case ERROR_DIRECTORY:
      return ENOTDIR;
    case ERROR_ACCESS_DENIED:
    case ERROR_WRITE_PROTECT:
      return EACCES;
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return EBUSY;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      return ENOMEM;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
      return EPIPE;
    case ERROR_INVALID_HANDLE:
      return EBADF;
    default:
      return EIO;
  }
}

HANDLE open_shared(const wchar_t* path, DWORD access, DWORD disposition, DWORD flags) {
  constexpr DWORD kShare = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  return ::CreateFileW(path, access, kShare, nullptr, disposition, flags, nullptr);
}

Descriptor::Descriptor(const std::filesystem::path& path, Open open, unsigned)
    : value_(opened(path.c_str(), open)) {}

Descriptor::~Descriptor() {
  if (value_ >= 0) ::_close(value_);
}

int Descriptor::standard_input() { return duplicated(::GetStdHandle(STD_INPUT_HANDLE)); }

int Descriptor::standard_output() { return duplicated(::GetStdHandle(STD_OUTPUT_HANDLE)); }

int Descriptor::nameless(const std::filesystem::path& folder) {
  const std::string name = "imago-" + std::to_string(std::random_device()());
  return adopted(open_shared((folder / name).c_str(), GENERIC_READ | GENERIC_WRITE | DELETE,
                             CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE),
                 _O_RDWR);
}

int Descriptor::duplicate() const { return duplicated(handle_of(value_)); }

std::optional<FileFacts> Descriptor::facts() const {
  const HANDLE file = handle_of(value_);
  FileFacts facts;
  facts.pipe = ::GetFileType(file) == FILE_TYPE_PIPE;
  if (::GetFileType(file) != FILE_TYPE_DISK) return facts;
  // Wine knows only the size of a file that is redirected to standard input.
  BY_HANDLE_FILE_INFORMATION about{};
  const bool known = ::GetFileInformationByHandle(file, &about) != 0;
  if (known && (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return facts;
  LARGE_INTEGER size{};
  if (!::GetFileSizeEx(file, &size)) return failed(), std::nullopt;
  facts.regular = true;
  facts.size = static_cast<std::uint64_t>(size.QuadPart);
  return facts;
}

bool Descriptor::at_start() const { return ::_lseeki64(value_, 0, SEEK_CUR) == 0; }

std::ptrdiff_t Descriptor::read(char* bytes, std::size_t count) const {
  DWORD got = 0;
  const auto most = static_cast<DWORD>(std::min(count, kMostBytes));
  if (::ReadFile(handle_of(value_), bytes, most, &got, nullptr)) return got;
  return ::GetLastError() == ERROR_BROKEN_PIPE ? 0 : failed();  // the writer has closed the pipe
}

std::ptrdiff_t Descriptor::read_at(std::uint64_t from, char* bytes, std::size_t count) const {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(from);
  place.OffsetHigh = static_cast<DWORD>(from >> 32);
  DWORD got = 0;
  const auto most = static_cast<DWORD>(std::min(count, kMostBytes));
  if (::ReadFile(handle_of(value_), bytes, most, &got, &place)) return got;
  return ::GetLastError() == ERROR_HANDLE_EOF ? 0 : failed();
}

bool Descriptor::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    DWORD done = 0;
    const auto most = static_cast<DWORD>(std::min(bytes.size(), kMostBytes));
    if (!::WriteFile(handle_of(value_), bytes.data(), most, &done, nullptr)) return failed(), false;
    bytes.remove_prefix(done);
  }
  return true;
}

bool Descriptor::flush() const {
  return ::FlushFileBuffers(handle_of(value_)) != 0 || (failed(), false);
}

bool Descriptor::lock() const {
  OVERLAPPED whole{};
  return ::LockFileEx(handle_of(value_), LOCKFILE_EXCLUSIVE_LOCK, 0, MAXDWORD, MAXDWORD, &whole) !=
             0 ||
         (failed(), false);
}

}  // namespace imago::base
