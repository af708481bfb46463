// This file lists the engines, opens those that are plugins, and collects the properties of the
// device that they need.
#include "bench/engines.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

#include "bench/facts.hpp"

namespace imago::bench {
namespace {

std::vector<std::filesystem::path> plugin_folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* wish = std::getenv("IMAGO_BENCH_PEERS")) {
    std::istringstream list(wish);
    for (std::string folder; std::getline(list, folder, ':');) folders.emplace_back(folder);
  }
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  if (!error) {
    folders.push_back(here);                                  // packed, or a build's own folder
    folders.push_back(here.parent_path() / "bench");          // a build
    folders.push_back(here.parent_path() / "lib" / "imago");  // installed
  }
  return folders;
}

// The library stays open until the process ends, because it contains the engine's code.
PluginEntry open_entry(const std::filesystem::path& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw Unsupported(file.filename().string() + " does not load: " + dlerror());
  void* entry = dlsym(library, kPluginEntry);
  if (entry == nullptr) throw Unsupported(file.string() + " is of another build of the benchmark");
  return reinterpret_cast<PluginEntry>(entry);
}

// The address is in NVIDIA's cl_nv_device_attribute_query; other drivers reject the query.
constexpr cl_device_info kPciBusNv = 0x4008, kPciDomainNv = 0x400A;

int pci_fact(const cl::Device& device, cl_device_info question) {
  cl_uint answer = 0;
  const cl_int code = clGetDeviceInfo(device(), question, sizeof(answer), &answer, nullptr);
  return code == CL_SUCCESS ? static_cast<int>(answer) : -1;
}

unsigned host_threads(const Settings& settings, const ClDevice& device) {
  if (settings.threads != 0) return settings.threads;
  if (device.is_cpu()) return device.device().getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  return std::max(1U, std::thread::hardware_concurrency());
}

// oneMKL's GNU OpenMP threads spin after each call, which would disturb the samples of other
// engines. Their library reads the wait policy once, when the plugin loads it.
std::unique_ptr<Engine> open_mkl(const Surroundings& surroundings) {
  constexpr const char *kPolicy = "OMP_WAIT_POLICY", *kRuntime = "libgomp.so.1";
  if (std::getenv(kPolicy) == nullptr) {
    if (dlopen(kRuntime, RTLD_NOW | RTLD_NOLOAD) != nullptr)
      throw Unsupported(std::string(kRuntime) +
                        " is loaded already, and its threads would spin: set " + kPolicy +
                        "=PASSIVE");
    setenv(kPolicy, "PASSIVE", 0);
  }
  return open_plugin("mkl", surroundings);
}

}  // namespace

Surroundings surroundings_of(const Settings& settings) {
  Surroundings around;
  const Clock clock = settings.timing == Timing::single_calls ? Clock::host : settings.clock;
  around.device = std::make_shared<ClDevice>(settings.device, clock);
  around.identity.name = trimmed(settings.device.getInfo<CL_DEVICE_NAME>());
  around.identity.cpu = around.device->is_cpu();
  around.identity.pci_bus = pci_fact(settings.device, kPciBusNv);
  around.identity.pci_domain = pci_fact(settings.device, kPciDomainNv);
  around.identity.threads = host_threads(settings, *around.device);
  around.options = settings.options;
  around.fftw_estimate = settings.fftw_estimate;
  around.graphs = settings.graphs;
  around.in_host_memory = settings.timing == Timing::single_calls && around.identity.cpu;
  return around;
}

std::unique_ptr<Engine> open_plugin(const std::string& name, const Surroundings& surroundings) {
  const std::string file = "libimago_peer_" + name + ".so";
  for (const auto& folder : plugin_folders()) {
    if (!std::filesystem::exists(folder / file)) continue;
    std::string reason;
    std::unique_ptr<Engine> engine(open_entry(folder / file)(surroundings.identity, reason));
    if (!engine) throw Unsupported(reason);
    return engine;
  }
  throw Unsupported(file + " is neither beside the command nor in IMAGO_BENCH_PEERS");
}

const std::vector<EngineInfo>& known_engines() {
  static const std::vector<EngineInfo> list = {
    {"imago", true, true, make_imago},
    {"fftw", true, false, make_fftw},
    {"mkl", true, false, open_mkl},
    {"clfft", true, true, make_clfft},
#if defined(IMAGO_BENCH_VKFFT)
    {"vkfft", true, true, make_vkfft},
#endif
    {"cufft", false, true, [](const Surroundings& s) { return open_plugin("cufft", s); }},
    {"cufft-graph", false, false,
     [](Surroundings s) {
       s.identity.graphs = true;
       return open_plugin("cufft", s);
     }},
    {"imago-buffers", false, false, make_imago_on_buffers},
    {"imago-opencl", false, false,
     [](const Surroundings& s) { return make_imago_by("opencl", s); }},
    {"imago-cuda", false, false, [](const Surroundings& s) { return make_imago_by("cuda", s); }},
    {"imago-graph", false, false, [](const Surroundings& s) { return make_imago_by("graph", s); }},
  };
  return list;
}

}  // namespace imago::bench
