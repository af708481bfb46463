// This file estimates the rates of devices that were not measured. Only their ratios must be right,
// because the model ranks kernels of one device.
#include "model/rates.hpp"

#include <algorithm>
#include <array>

namespace imago::model {
namespace {

// GPUs: clock and lanes of a compute unit. 128 fp32 lanes on NVIDIA sm_50 to sm_90 (CUDA C++
// programming guide, "Arithmetic instructions": 64 on AMD's and on sm_60, sm_80), near 1.5 GHz.
constexpr double kGpuClock = 1.5e9;
constexpr double kGpuLanes = 128;
// 32 banks of four bytes per clock (same guide, "Shared memory").
constexpr double kGpuLocalBytes = 128;
// A value between a GTX 750 Ti (5 units, 86 GB/s) and an H200 (132 units, 4.2 TB/s measured).
constexpr double kGpuUnitCopy = 20e9;
// Launches of an empty kernel, one after another, on an H100 and an H200 (tuner::calibrate).
constexpr double kGpuLaunch = 4.4e-6;
// Measured on an H200 with the kernels of src/tuner: 0.295, 0.70, 0.956, 0.974, 0.995. Sectors have
// 32 bytes, lines 128 (CUDA best practices guide, "Coalesced access").
constexpr std::array<double, 5> kGpuSegments = {0.3, 0.7, 0.95, 0.97, 1.0};

// CPUs: two fma ports per core near 2.5 GHz (Agner Fog's instruction tables: Haswell and later, Zen
// 2 and later).
constexpr double kCpuClock = 2.5e9;
constexpr double kCpuPorts = 2;
// One core copies about 10 GB/s; a current socket about 150.
constexpr double kCpuUnitCopy = 10e9, kCpuCopy = 150e9;
// Enqueueing and finishing on PoCL: 20 to 30 us.
constexpr double kCpuLaunch = 20e-6;
// Cache lines have 64 bytes; the prefetcher fetches pairs of them.
constexpr std::array<double, 5> kCpuSegments = {0.2, 0.4, 0.75, 0.9, 1.0};

/// Returns the rate of doubles, in f32 operations: 1/2 on CPUs and on GPUs for computing, 1/16 to
/// 1/64 on others (CUDA C++ programming guide, "Arithmetic instructions"; AMD's and Intel's
/// tables of their architectures).
double share_of_doubles(const device::Facts& facts) {
  if (facts.type == device::Type::cpu) return 0.5;
  for (const char* half : {"sm_60", "sm_70", "sm_80", "sm_90", "sm_100", "gfx906", "gfx908",
                           "gfx90a", "gfx940", "gfx941", "gfx942", "gfx950"}) {
    if (facts.architecture == half) return 0.5;
  }
  if (facts.architecture.starts_with("sm_")) return 1.0 / 64;
  if (facts.architecture.starts_with("gfx")) return 1.0 / 16;
  return 0.5;
}

device::Rates defaults(const device::Facts& facts) {
  const double units = std::max(1u, facts.compute_units);
  device::Rates rates;
  if (facts.type == device::Type::cpu) {
    const double lanes = std::max(4u, facts.vector_f32);
    rates.copy_bytes = std::min(kCpuCopy, units * kCpuUnitCopy);
    rates.local_bytes = units * kCpuPorts * lanes * 4 * kCpuClock;
    rates.flops = units * kCpuPorts * lanes * 2 * kCpuClock;
    rates.launch_seconds = kCpuLaunch;
    rates.segments = kCpuSegments;
  } else {
    rates.copy_bytes = units * kGpuUnitCopy;
    rates.local_bytes = units * kGpuLocalBytes * kGpuClock;
    rates.flops = units * kGpuLanes * 2 * kGpuClock;
    rates.launch_seconds = kGpuLaunch;
    rates.segments = kGpuSegments;
  }
  rates.flops_f64 = rates.flops * share_of_doubles(facts);
  return rates;
}

}  // namespace

device::Rates rates_of(const device::Facts& facts) {
  const device::Rates guessed = defaults(facts);
  device::Rates rates = facts.rates;
  const auto fill = [](double& value, double guess) {
    if (!(value > 0)) value = guess;
  };
  fill(rates.copy_bytes, guessed.copy_bytes);
  fill(rates.local_bytes, guessed.local_bytes);
  // A measured rate of f32 says more about doubles than an estimate of both.
  const double share = guessed.flops_f64 / guessed.flops;
  fill(rates.flops, guessed.flops);
  fill(rates.flops_f64, rates.flops * share);
  fill(rates.launch_seconds, guessed.launch_seconds);
  for (std::size_t i = 0; i < rates.segments.size(); ++i)
    fill(rates.segments[i], guessed.segments[i]);
  return rates;
}

}  // namespace imago::model
