// This file collects the contents of a report: the program, OpenCL on this machine, imago's folders
// and the environment.
#include "report_facts.hpp"

#include <dlfcn.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <imago/devices.hpp>

#include "base/own_folder.hpp"
#include "build_info.hpp"
#include "engine/generator_version.hpp"
#include "machine/processor.hpp"
#include "options.hpp"
#include "profile/ladder.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

namespace fs = std::filesystem;

/// Returns the result of `find`, or the reason of its failure, because a report is most useful if
/// something fails.
template <class Find>
Json tried(const Find& find) {
  try {
    return find();
  } catch (const std::exception& error) {
    return std::string("not found out: ") + error.what();
  }
}

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

Json program() {
  return {{"version", build::kVersion},
          {"commit", build::kGitId},
          {"build", build::kBuildType},
          {"compiler", build::kCompiler},
          {"generator", engine::generator_version()}};
}

Json this_machine() {
  utsname system{};
  uname(&system);  // the node name is not used, because it names the machine
  return {{"system", value_in("/etc/os-release", "PRETTY_NAME", '=')},
          {"kernel", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
          {"processor", machine::processor()},
          {"threads", std::thread::hardware_concurrency()},
          {"memory", value_in("/proc/meminfo", "MemTotal", ':')}};
}

std::string loader_text(int name) {
  // The loaders of ocl-icd and Khronos have this function; its parameters are those of
  // clGetPlatformInfo.
  using Query = cl_int (*)(int, std::size_t, void*, std::size_t*);
  const auto query = reinterpret_cast<Query>(dlsym(RTLD_DEFAULT, "clGetICDLoaderInfoOCLICD"));
  std::string text(256, '\0');
  if (!query || query(name, text.size() - 1, text.data(), nullptr) != CL_SUCCESS) return {};
  return text.c_str();
}

Json loader() {
  constexpr int kVersion = 2, kName = 3;  // CL_ICDL_VERSION, CL_ICDL_NAME
  Dl_info from{};
  const bool found = dladdr(reinterpret_cast<void*>(&clGetPlatformIDs), &from) != 0;
  std::error_code ignored;
  return {{"file", found ? fs::canonical(from.dli_fname, ignored).string() : "unknown"},
          {"name", loader_text(kName)},
          {"version", loader_text(kVersion)}};
}

/// Returns the drivers that are registered with the loader.
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

Json platforms() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) count = 0;
  std::vector<cl_platform_id> ids(count);
  if (count > 0) runtime::check(clGetPlatformIDs(count, ids.data(), nullptr), "clGetPlatformIDs");
  Json list = Json::array();
  for (const cl_platform_id id : ids) {
    list.push_back({{"name", runtime::platform_text(id, CL_PLATFORM_NAME)},
                    {"vendor", runtime::platform_text(id, CL_PLATFORM_VENDOR)},
                    {"version", runtime::platform_text(id, CL_PLATFORM_VERSION)}});
  }
  return list;
}

Json profiles_for(const device::Facts& facts) {
  Json list = Json::array();
  for (const auto& [source, rung] : profile::Ladder(facts, profile::usual_sources({})).usable()) {
    list.push_back(fmt::format("{}: rung {}, {} entries", source->name(), profile::words(rung),
                               source->profile()->entries.size()));
  }
  return list;
}

Json device_of(const cl::Device& device) {
  Json json{{"name", runtime::device_text(device(), CL_DEVICE_NAME)},
            {"driver", runtime::device_text(device(), CL_DRIVER_VERSION)},
            {"version", runtime::device_text(device(), CL_DEVICE_VERSION)},
            {"c_version", runtime::device_text(device(), CL_DEVICE_OPENCL_C_VERSION)},
            {"extensions", runtime::device_text(device(), CL_DEVICE_EXTENSIONS)}};
  json["facts"] = tried([&] { return Json(to_json(facts_of(device))); });
  json["profiles"] = tried([&] { return profiles_for(facts_of(device)); });
  return json;
}

Json devices_here() {
  Json list = Json::array();
  for (const cl::Device& device : devices())
    list.push_back(tried([&] { return device_of(device); }));
  return list;
}

Json cache() {
  const fs::path folder = runtime::DiskCache::at({}).directory();
  if (folder.empty()) return {{"folder", "none: neither IMAGO_CACHE_DIR nor HOME is set"}};
  std::uintmax_t files = 0, bytes = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::uintmax_t size = entry.is_regular_file(error) ? entry.file_size(error) : 0;
    if (!error) ++files, bytes += size;
  }
  const std::string why = base::OwnFolder(folder).why();
  const bool there = fs::exists(folder, error);
  return {{"folder", folder.string()},
          {"state", !why.empty() ? why
                    : there      ? "used"
                                 : "not there yet"},
          {"files", files},
          {"size", bytes_text(bytes)}};
}

Json environment() {
  Json variables = Json::object();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto begins = [&](const char* prefix) { return text.starts_with(prefix); };
    if (!begins("IMAGO_") && !begins("OCL_") && !begins("POCL_")) continue;
    const std::size_t sign = text.find('=');
    variables[std::string(text.substr(0, sign))] = text.substr(sign + 1);
  }
  return variables;
}

}  // namespace

std::string version_text() {
  return fmt::format("imago {}\ncommit {}, {}, {}, generator {}", build::kVersion, build::kGitId,
                     build::kBuildType, build::kCompiler, engine::generator_version());
}

Json report_facts() {
  return {{"imago", program()},
          {"machine", tried(this_machine)},
          {"loader", tried(loader)},
          {"drivers", tried(installed_drivers)},
          {"platforms", tried(platforms)},
          {"devices", tried(devices_here)},
          {"profile_folder", profile::home_folder().string()},
          {"cache", tried(cache)},
          {"environment", environment()}};
}

}  // namespace imago::command
