// This file collects the parts of a report with POSIX and Linux.
#include "report_system.hpp"

#include <dlfcn.h>
#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>

#include <CL/cl.h>
#include <fmt/format.h>

#include "machine/processor.hpp"

namespace imago::command {
namespace {

namespace fs = std::filesystem;

/// Returns the value of `key` in lines of "key<sign> value".
std::string value_in(const char* file, std::string_view key, char sign) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(sign);
    if (at == std::string::npos || !line.starts_with(key)) continue;
    std::string value = line.substr(at + 1);
    value.erase(0, value.find_first_not_of(" \t\""));
    value.erase(value.find_last_not_of(" \t\"") + 1);
    return value;
  }
  return "unknown";
}

void add(std::vector<std::string>& names, const char* name) {
  if (name && *name && std::string(name) != "root" && std::string(name) != "localhost")
    names.emplace_back(name);
}

}  // namespace

const char* const kNoCacheFolder = "neither IMAGO_CACHE_DIR nor HOME is set";

Json machine_facts() {
  utsname system{};
  uname(&system);  // the node name is not used, because it names the machine
  return {{"system", value_in("/etc/os-release", "PRETTY_NAME", '=')},
          {"kernel", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
          {"processor", machine::processor()},
          {"threads", std::thread::hardware_concurrency()},
          {"memory", value_in("/proc/meminfo", "MemTotal", ':')}};
}

std::string loader_file() {
  Dl_info from{};
  if (dladdr(reinterpret_cast<void*>(&clGetPlatformIDs), &from) == 0) return {};
  std::error_code ignored;
  return fs::canonical(from.dli_fname, ignored).string();
}

void* loaded_function(const char* name) { return dlsym(RTLD_DEFAULT, name); }

Json installed_drivers() {
  const char* wish = std::getenv("OCL_ICD_VENDORS");
  const fs::path folder = wish && fs::is_directory(wish) ? wish : "/etc/OpenCL/vendors";
  Json drivers = Json::array();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::string library;
    std::getline(std::ifstream(entry.path()), library);
    drivers.push_back(entry.path().string() + ": " + library);
  }
  std::sort(drivers.begin(), drivers.end());
  return drivers;
}

Names names_of_this_process() {
  Names names;
  const passwd* entry = getpwuid(getuid());
  const char* home = std::getenv("HOME");
  names.home = home ? home : entry ? entry->pw_dir : "";
  while (names.home.ends_with('/')) names.home.pop_back();
  add(names.users, entry ? entry->pw_name : nullptr);
  for (const char* variable : {"USER", "LOGNAME", "SUDO_USER"})
    add(names.users, std::getenv(variable));
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) == 0) {
    const std::string whole = host.data();
    add(names.hosts, whole.c_str());
    add(names.hosts, whole.substr(0, whole.find('.')).c_str());
  }
  return names;
}

}  // namespace imago::command
