// This file allocates the memory of the phase method's kernels.
#include "sparse_device/phase_memory.hpp"

#include <algorithm>

#include "sparse/reading.hpp"

namespace imago::sparse_device {
namespace {

/// Returns the number of buckets of all spectra, of the largest level.
std::size_t most_elements(const sparse::PhaseParameters& parameters) {
  std::size_t most = 0;
  for (const auto* levels : {&parameters.coarse, &parameters.fine}) {
    for (const auto& level : *levels)
      most = std::max<std::size_t>(most, level.spectra() * level.buckets());
  }
  return most;
}

}  // namespace

PhaseMemory::PhaseMemory(const Setup& setup, const sparse::PhaseParameters& parameters,
                         std::size_t scratch_bytes) {
  const cl_context context = setup.target.context;
  const auto& request = setup.request;
  const auto& last = parameters.fine.back();
  const std::size_t complex_bytes = 2 * request.real_bytes();
  const std::size_t slots = last.slots(), elements = most_elements(parameters);
  buckets = make(context, elements * complex_bytes);
  state = make(context, sparse::state_words(last, request.precision) * sizeof(std::uint32_t));
  cells = make(context, 2 * sparse::kHashes * slots * 2 * complex_bytes);
  phases = make(context, 2 * elements * complex_bytes);  // there are two slots per bucket
  weights = make(context, sparse::kHashes * slots * (2 * parameters.window.neighbours() + 1) *
                              request.real_bytes());
  amplitudes = make(context, 3 * slots * complex_bytes);
  if (scratch_bytes > 0) scratch = make(context, scratch_bytes);
  if (!context) return;
  const std::size_t count = sparse::state_words(last.capacity(), request.precision);
  copy = runtime::HostMemory(context, setup.target.device, count * sizeof(std::uint32_t));
  words = {static_cast<std::uint32_t*>(copy.data()), count};
}

runtime::Handle<cl_mem> PhaseMemory::make(cl_context context, std::size_t size) {
  bytes += size;
  if (!context) return {};
  return runtime::allocate(context, size);
}

}  // namespace imago::sparse_device
