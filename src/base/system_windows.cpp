// This file implements the functions of system.hpp for Windows.
#include <cerrno>
#include <cstdlib>

#include "base/system.hpp"
#include "base/windows.hpp"

namespace imago::base {
namespace {

namespace fs = std::filesystem;

std::wstring wide(const std::string& text) { return path_of(text).wstring(); }

/// Returns a variable's folder of Windows, or that of the XDG specification if a user of MSYS or
/// Wine sets it.
fs::path user_folder(const char* wish, const char* below) {
  const fs::path found = folder_from_environment(wish, "imago");
  return found.empty() ? folder_from_environment("LOCALAPPDATA", below) : found;
}

std::int64_t joined(DWORD high, DWORD low) {
  return static_cast<std::int64_t>(std::uint64_t{high} << 32 | low);
}

}  // namespace

std::optional<std::string> environment(const char* name) {
  const std::wstring key = wide(name);
  ::SetLastError(ERROR_SUCCESS);
  std::wstring value(::GetEnvironmentVariableW(key.c_str(), nullptr, 0), L'\0');
  if (value.empty() && ::GetLastError() == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
  const DWORD size = static_cast<DWORD>(value.size());
  value.resize(::GetEnvironmentVariableW(key.c_str(), value.data(), size));
  return text_of(value);
}

void set_environment(const char* name, const std::string& value) {
  ::_wputenv_s(wide(name).c_str(), wide(value).c_str());
}

std::vector<std::string> whole_environment() {
  std::vector<std::string> lines;
  wchar_t* const block = ::GetEnvironmentStringsW();
  for (const wchar_t* line = block; line && *line; line += std::wstring_view(line).size() + 1)
    lines.push_back(text_of(line));
  if (block) ::FreeEnvironmentStringsW(block);
  return lines;
}

fs::path user_cache_folder() { return user_folder("XDG_CACHE_HOME", "imago\\cache"); }

fs::path user_profile_folder() { return user_folder("XDG_CONFIG_HOME", "imago\\profiles"); }

fs::path machine_cache_folder() { return folder_from_environment("PROGRAMDATA", "imago\\cache"); }

std::vector<fs::path> machine_profile_folders() {
  const fs::path found = folder_from_environment("PROGRAMDATA", "imago\\profiles");
  return found.empty() ? std::vector<fs::path>{} : std::vector<fs::path>{found};
}

std::uint64_t process_id() { return ::GetCurrentProcessId(); }

fs::path own_program() {
  std::wstring path(MAX_PATH, L'\0');
  for (;;) {
    const DWORD used = ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    if (used < path.size()) return path.substr(0, used);
    path.resize(2 * path.size());
  }
}

std::optional<FileStamp> stamp_of(const fs::path& path) {
  const HANDLE open =
      open_shared(path.c_str(), FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
  if (open == INVALID_HANDLE_VALUE) return std::nullopt;
  const Handle file(open);
  BY_HANDLE_FILE_INFORMATION about{};
  if (!::GetFileInformationByHandle(open, &about)) return std::nullopt;
  const auto time = [](const FILETIME& each) {
    return joined(each.dwHighDateTime, each.dwLowDateTime);
  };
  return FileStamp{about.dwVolumeSerialNumber,
                   joined(about.nFileIndexHigh, about.nFileIndexLow),
                   joined(about.nFileSizeHigh, about.nFileSizeLow),
                   time(about.ftLastWriteTime),
                   time(about.ftCreationTime),
                   about.dwFileAttributes,
                   0};
}

int replace_file(const fs::path& from, const fs::path& to) {
  // A reader of the old file, an indexer or a virus scanner may have it open for a moment.
  constexpr int kTries = 50;
  constexpr DWORD kMilliseconds = 20;
  for (int tried = 1;; ++tried) {
    if (::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING)) return 0;
    const DWORD error = ::GetLastError();
    const bool in_use = error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED;
    std::error_code unknown;
    if (!in_use || tried == kTries || fs::is_directory(to, unknown)) return errno_of(error);
    ::Sleep(kMilliseconds);
  }
}

// Windows writes the names of a folder with its journal, and cannot flush a folder for a user.
void flush_folder(const fs::path&) {}

bool is_mapped(const void* address) {
  MEMORY_BASIC_INFORMATION about{};
  return ::VirtualQuery(address, &about, sizeof about) != 0 && about.State == MEM_COMMIT;
}

std::uint64_t memory_bytes() {
  MEMORYSTATUSEX memory{};
  memory.dwLength = sizeof memory;
  return ::GlobalMemoryStatusEx(&memory) ? memory.ullTotalPhys : 0;
}

double running_programs() { return 0; }  // Windows counts none

void lower_priority() { ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_LOWEST); }

void call_in_forked(void (*)()) {}  // Windows has no fork()

void call_first_at_exit(void (*)()) {}  // it ends the threads before

bool threads_are_ended() {
  using Query = BOOLEAN(NTAPI*)();
  static const auto query = reinterpret_cast<Query>(reinterpret_cast<void*>(
      ::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "RtlDllShutdownInProgress")));
  return query && query();
}

}  // namespace imago::base
