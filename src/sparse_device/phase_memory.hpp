// This file allocates what the kernels of the phase method work on, for the largest of the levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/memory.hpp"
#include "sparse/phase_parameters.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

struct PhaseMemory {
  PhaseMemory(const Setup& setup, const sparse::PhaseParameters& parameters,
              std::size_t scratch_bytes);

  runtime::Handle<cl_mem> buckets, state, cells, phases, weights, amplitudes;
  runtime::Handle<cl_mem> scratch;  ///< of the buckets' transforms; null where they need none
  runtime::HostMemory copy;
  std::span<std::uint32_t> words;  ///< the host's copy of the state's first words
  std::size_t bytes = 0;           ///< on the device

 private:
  runtime::Handle<cl_mem> make(cl_context context, std::size_t size);
};

}  // namespace imago::sparse_device
