// This file lists the engines of this build. Each is made by a function of its own file, which
// throws Unsupported with the reason where the engine cannot work with the device.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/cl_device.hpp"
#include "bench/engine.hpp"

namespace imago::bench {

/// What an engine is made from.
struct Surroundings {
  Identity identity;
  std::shared_ptr<ClDevice> device;
  Options options;  ///< for imago
  bool fftw_estimate = false;
};

/// Opens the device that the settings name.
Surroundings surroundings_of(const Settings& settings);

struct EngineInfo {
  std::string name;
  bool suits_cpu, suits_gpu;  ///< measured there without being asked for
  std::function<std::unique_ptr<Engine>(const Surroundings&)> make;
};
/// Every engine that this build knows, imago first.
const std::vector<EngineInfo>& known_engines();

std::unique_ptr<Engine> make_imago(const Surroundings& surroundings);
std::unique_ptr<Engine> make_fftw(const Surroundings& surroundings);
std::unique_ptr<Engine> make_clfft(const Surroundings& surroundings);
std::unique_ptr<Engine> make_vkfft(const Surroundings& surroundings);
/// Opens libimago_peer_<name>.so from IMAGO_BENCH_PEERS or from beside the executable.
std::unique_ptr<Engine> open_plugin(const std::string& name, const Surroundings& surroundings);

}  // namespace imago::bench
