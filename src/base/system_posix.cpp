// This file implements the functions of system.hpp with POSIX and Linux.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/persist.hpp"
#include "base/system.hpp"

extern char** environ;

namespace imago::base {

namespace fs = std::filesystem;

std::optional<std::string> environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

void set_environment(const char* name, const std::string& value) {
  ::setenv(name, value.c_str(), 1);
}

std::vector<std::string> whole_environment() {
  std::vector<std::string> lines;
  for (char** line = environ; *line; ++line) lines.emplace_back(*line);
  return lines;
}

fs::path user_cache_folder() {
  const fs::path found = folder_from_environment("XDG_CACHE_HOME", "imago");
  return found.empty() ? folder_from_environment("HOME", ".cache/imago") : found;
}

fs::path user_profile_folder() {
  const fs::path found = folder_from_environment("XDG_CONFIG_HOME", "imago");
  return found.empty() ? folder_from_environment("HOME", ".config/imago") : found;
}

fs::path machine_cache_folder() { return "/var/cache/imago"; }

std::vector<fs::path> machine_profile_folders() {
  std::vector<fs::path> folders;
  // The XDG Base Directory Specification requires that relative folders are ignored.
  const auto append = [&](const char* variable, const char* otherwise, const char* below) {
    for (const fs::path& each : folders_from_environment(variable, otherwise))
      if (each.is_absolute()) folders.push_back(each / below);
  };
  append("XDG_CONFIG_DIRS", "/etc/xdg", "imago");
  append("XDG_DATA_DIRS", "/usr/local/share:/usr/share", "imago/profiles");
  return folders;
}

std::uint64_t process_id() { return static_cast<std::uint64_t>(::getpid()); }

fs::path own_program() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown);
}

std::optional<FileStamp> stamp_of(const fs::path& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return std::nullopt;
  return FileStamp{static_cast<std::int64_t>(about.st_dev),
                   static_cast<std::int64_t>(about.st_ino),
                   static_cast<std::int64_t>(about.st_size),
                   about.st_mtim.tv_sec,
                   about.st_mtim.tv_nsec,
                   about.st_ctim.tv_sec,
                   about.st_ctim.tv_nsec};
}

int replace_file(const fs::path& from, const fs::path& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

void flush_folder(const fs::path& folder) {
  const int open = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (open < 0) return;
  persist([&] { return ::fsync(open); });
  ::close(open);
}

bool is_mapped(const void* address) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(address) / page * page;
  unsigned char resident = 0;
  return ::mincore(reinterpret_cast<void*>(start), 1, &resident) == 0;
}

std::uint64_t memory_bytes() {
  auto bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
               static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::uint64_t share = 0;  // limit of a container; elsewhere the file holds "max" or does not
                            // exist
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> share) bytes = std::min(bytes, share);
  return bytes;
}

double running_programs() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

void lower_priority() {
#if defined(__linux__)
  constexpr int kNiceness = 10;
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNiceness);
#endif
}

void call_in_forked(void (*function)()) { pthread_atfork(nullptr, nullptr, function); }

namespace {

/// exit() destroys the objects of its thread before it does anything else.
struct FirstAtExit {
  ~FirstAtExit() {
    if (function) function();
  }
  void (*function)() = nullptr;
};

bool is_main_thread() {
#if defined(__linux__)
  return syscall(SYS_gettid) == ::getpid();
#else
  return false;
#endif
}

}  // namespace

void call_first_at_exit(void (*function)()) {
  if (!is_main_thread()) return;  // this thread may end before the program
  thread_local FirstAtExit first;
  first.function = function;
}

bool threads_are_ended() { return false; }

}  // namespace imago::base
