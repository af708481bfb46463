// This file loads shared libraries.
#include "bench/plugin.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace imago::bench {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders() {
  std::vector<fs::path> found;
  if (const char* text = std::getenv("IMAGO_BENCH_PEERS")) {
    std::istringstream list(text);
    for (std::string folder; std::getline(list, folder, ':');) found.emplace_back(folder);
  }
  std::error_code none;
  found.push_back(fs::read_symlink("/proc/self/exe", none).parent_path());
  return found;
}

}  // namespace

void* library_function(const std::string& file, const char* name) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const function = library == nullptr ? nullptr : dlsym(library, name);
  if (function == nullptr) throw std::runtime_error(dlerror());
  return function;
}

void* plugin_function(const std::string& file, const char* name) {
  for (const fs::path& folder : folders())
    if (fs::exists(folder / file)) return library_function(folder / file, name);
  throw std::runtime_error("there is no " + file);
}

}  // namespace imago::bench
