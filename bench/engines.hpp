// This file lists the engines of this build. A function in each engine's file makes it, and throws
// Unsupported with the reason if the engine cannot use the device.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/cl_device.hpp"
#include "bench/engine.hpp"

namespace imago::bench {

/// The inputs for making an engine.
struct Surroundings {
  Identity identity;
  std::shared_ptr<ClDevice> device;
  Options options;  ///< for imago
  bool fftw_estimate = false;
  bool graphs = false;          ///< imago's calls are in graphs of CUDA
  bool in_host_memory = false;  ///< imago transforms arrays in host memory
};

/// Opens the device that the settings name.
Surroundings surroundings_of(const Settings& settings);

struct EngineInfo {
  std::string name;
  bool suits_cpu, suits_gpu;  ///< measured by default on such devices
  std::function<std::unique_ptr<Engine>(const Surroundings&)> make;
};
/// Returns every engine of this build, imago first.
const std::vector<EngineInfo>& known_engines();

std::unique_ptr<Engine> make_imago(const Surroundings& surroundings);
/// imago on a device's buffers, where a run measures it in host memory.
std::unique_ptr<Engine> make_imago_on_buffers(const Surroundings& surroundings);
/// imago with launches by another driver than the run's: opencl, cuda, or graphs of CUDA.
std::unique_ptr<Engine> make_imago_by(const std::string& launch, const Surroundings& surroundings);
std::unique_ptr<Engine> make_fftw(const Surroundings& surroundings);
std::unique_ptr<Engine> make_clfft(const Surroundings& surroundings);
std::unique_ptr<Engine> make_vkfft(const Surroundings& surroundings);
/// Opens libimago_peer_<name>.so from IMAGO_BENCH_PEERS or next to the executable.
std::unique_ptr<Engine> open_plugin(const std::string& name, const Surroundings& surroundings);

}  // namespace imago::bench
