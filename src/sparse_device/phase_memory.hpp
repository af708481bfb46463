// This file allocates the memory of the phase method's kernels, for the largest level.
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
  runtime::Handle<cl_mem> scratch;  ///< workspace of the buckets' transforms; null if they need
                                    ///< none
  runtime::HostMemory copy;
  std::span<std::uint32_t> words;  ///< the host's copy of the first words of the state
  std::size_t bytes = 0;           ///< bytes of device memory

 private:
  runtime::Handle<cl_mem> make(cl_context context, std::size_t size);
};

}  // namespace imago::sparse_device
