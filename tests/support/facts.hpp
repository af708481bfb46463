// This file describes devices that the tests' machine need not have.
#pragma once

#include "device/facts.hpp"

namespace imago::test {

/// Returns a CPU with 512-bit vectors.
inline device::Facts wide_cpu() {
  device::Facts facts;
  facts.name = "a CPU";
  facts.type = device::Type::cpu;
  facts.compute_units = 16;
  facts.max_work_group = 4096;
  facts.simd = 1;
  facts.vector_f32 = 16;
  facts.vector_f64 = 8;
  facts.local_bytes = std::size_t{512} << 10;
  facts.memory.bytes = std::size_t{64} << 30;
  facts.memory.largest_buffer = std::size_t{16} << 30;
  facts.memory.cache_bytes = std::size_t{32} << 20;
  facts.f64.native = true;
  return facts;
}

/// Returns a large GPU.
inline device::Facts large_gpu() {
  device::Facts facts;
  facts.name = "a GPU";
  facts.type = device::Type::gpu;
  facts.compute_units = 132;
  facts.max_work_group = 1024;
  facts.simd = 32;
  facts.vector_f32 = 1;
  facts.vector_f64 = 1;
  facts.local_bytes = std::size_t{48} << 10;
  facts.memory.bytes = std::size_t{139} << 30;
  facts.memory.largest_buffer = std::size_t{34} << 30;
  facts.memory.cache_bytes = std::size_t{50} << 20;
  facts.f64.native = true;
  return facts;
}

/// Returns a large GPU with the compute units of an H200.
inline device::Facts hopper_gpu() {
  device::Facts facts = large_gpu();
  facts.name = "a GPU with much local memory";
  facts.local_bytes = std::size_t{226} << 10;
  facts.compute_unit = {65536, 2048, 32, 232448, 255};
  return facts;
}

/// Returns a device with the minimum that OpenCL 1.2 guarantees, without f64.
inline device::Facts small_gpu() {
  device::Facts facts = large_gpu();
  facts.name = "a small GPU";
  facts.compute_units = 4;
  facts.max_work_group = 128;
  facts.simd = 16;
  facts.vector_f32 = 4;
  facts.vector_f64 = 0;
  facts.local_bytes = std::size_t{32} << 10;
  facts.memory.bytes = std::size_t{1} << 30;
  facts.memory.largest_buffer = std::size_t{256} << 20;
  facts.memory.cache_bytes = std::size_t{256} << 10;
  facts.f64.native = false;
  return facts;
}

}  // namespace imago::test
