// This file collects the contents of a report: the program, OpenCL on this machine, imago's folders
// and the environment. It removes the names of people and machines.
#include "report_facts.hpp"

#include <cctype>
#include <exception>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <imago/devices.hpp>

#include "base/own_folder.hpp"
#include "base/system.hpp"
#include "build_info.hpp"
#include "engine/generator_version.hpp"
#include "options.hpp"
#include "profile/ladder.hpp"
#include "report_system.hpp"
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

Json program() {
  return {{"version", build::kVersion},
          {"commit", build::kGitId},
          {"build", build::kBuildType},
          {"compiler", build::kCompiler},
          {"generator", engine::generator_version()}};
}

std::string loader_text(int name) {
  // The loaders of ocl-icd and Khronos have this function; its parameters are those of
  // clGetPlatformInfo.
  using Query = cl_int (*)(int, std::size_t, void*, std::size_t*);
  const auto query = reinterpret_cast<Query>(loaded_function("clGetICDLoaderInfoOCLICD"));
  std::string text(256, '\0');
  if (!query || query(name, text.size() - 1, text.data(), nullptr) != CL_SUCCESS) return {};
  return text.c_str();
}

Json loader() {
  constexpr int kVersion = 2, kName = 3;  // CL_ICDL_VERSION, CL_ICDL_NAME
  const std::string file = loader_file();
  return {{"file", file.empty() ? "unknown" : file},
          {"name", loader_text(kName)},
          {"version", loader_text(kVersion)}};
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
  if (folder.empty()) return {{"folder", std::string("none: ") + kNoCacheFolder}};
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
  for (const std::string& text : base::whole_environment()) {
    const auto begins = [&](const char* prefix) { return text.starts_with(prefix); };
    if (!begins("IMAGO_") && !begins("OCL_") && !begins("POCL_")) continue;
    const std::size_t sign = text.find('=');
    variables[text.substr(0, sign)] = text.substr(sign + 1);
  }
  return variables;
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
}

/// Replaces `name` if it is a whole word.
void replace_word(std::string& text, const std::string& name, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
    const std::size_t end = at + name.size();
    const bool whole =
        (at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]));
    if (whole) text.replace(at, name.size(), by);
    at += whole ? by.size() : 1;
  }
}

/// Replaces a folder at the start of paths; "/home/ann" is no part of "/home/anna" or
/// "/mnt/home/ann".
void replace_folder(std::string& text, const std::string& folder) {
  for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos; ++at) {
    const std::size_t end = at + folder.size();
    const bool begins =
        at == 0 || (!in_word(text[at - 1]) && text[at - 1] != '/' && text[at - 1] != '\\');
    if (begins && (end == text.size() || !in_word(text[end]))) text.replace(at, folder.size(), "~");
  }
}

}  // namespace

std::string version_text() {
  return fmt::format("imago {}\ncommit {}, {}, {}, generator {}", build::kVersion, build::kGitId,
                     build::kBuildType, build::kCompiler, engine::generator_version());
}

Json report_facts() {
  return {{"imago", program()},
          {"machine", tried(machine_facts)},
          {"loader", tried(loader)},
          {"drivers", tried(installed_drivers)},
          {"platforms", tried(platforms)},
          {"devices", tried(devices_here)},
          {"profile_folder", profile::home_folder().string()},
          {"cache", tried(cache)},
          {"environment", environment()}};
}

std::string without_names(std::string text, const Names& names) {
  if (!names.home.empty()) replace_folder(text, names.home);
  for (const std::string& user : names.users) replace_word(text, user, "USER");
  for (const std::string& host : names.hosts) replace_word(text, host, "HOST");
  return text;
}

Json without_names(Json json, const Names& names) {
  if (json.is_string()) return without_names(json.get<std::string>(), names);
  if (json.is_structured())
    for (auto& each : json) each = without_names(std::move(each), names);
  return json;
}

}  // namespace imago::command
