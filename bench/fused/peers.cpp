// This file loads the contestants that are plugins.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "bench/fused/contestants.hpp"

namespace imago::bench::fused {
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

std::unique_ptr<Contestant> load_peer(const std::string& name, const Question& question) {
  std::string reason = "there is no libimago_fused_" + name + ".so";
  for (const fs::path& folder : folders()) {
    const fs::path path = folder / ("libimago_fused_" + name + ".so");
    if (!fs::exists(path)) continue;
    // Never closed, because it contains the contestant's code.
    void* const plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    auto* const peer =
        plugin == nullptr ? nullptr : reinterpret_cast<Peer*>(dlsym(plugin, "imago_fused_peer"));
    if (peer == nullptr) {
      reason = dlerror();
      continue;
    }
    if (Contestant* contestant = peer(question, reason))
      return std::unique_ptr<Contestant>(contestant);
  }
  throw std::runtime_error(reason);
}

}  // namespace imago::bench::fused
