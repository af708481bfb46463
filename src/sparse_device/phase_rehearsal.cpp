// This file launches a kernel of the phase method once on a signal of zeros.
#include "sparse_device/phase_rehearsal.hpp"

#include <array>
#include <string>

#include <imago/error.hpp>

#include "base/log.hpp"
#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"
#include "runtime/sequence.hpp"
#include "sparse/attempt.hpp"
#include "sparse_device/phase_memory.hpp"

namespace imago::sparse_device {
namespace {

constexpr unsigned kLogLength = 11, kLogBuckets = 8;  // minimum values of the method

sparse::Attempt attempt_at(const sparse::Level& level) {
  sparse::Attempt attempt = {};
  attempt.length = std::uint64_t{1} << kLogLength;
  attempt.fraction = ~std::uint64_t{0} / attempt.length;
  attempt.remainder = ~std::uint64_t{0} % attempt.length + 1;
  attempt.log_length = kLogLength;
  attempt.log_buckets = level.log_buckets;
  attempt.shifts = level.shifts();
  attempt.capacity = static_cast<std::uint32_t>(level.capacity());
  attempt.log_slots = level.log_buckets + 1;
  for (std::size_t i = 0; i < level.exponents.size(); ++i)
    attempt.exponents[i] = level.exponents[i];
  for (unsigned h = 0; h < sparse::kHashes; ++h) attempt.sigma[h] = attempt.inverse[h] = 1;
  attempt.threshold = attempt.own_noise = 1;
  return attempt;
}

runtime::Handle<cl_mem> zeros_like(cl_context context, cl_mem memory) {
  return runtime::allocate_zeros(
      context,
      runtime::info<std::size_t>(clGetMemObjectInfo, "clGetMemObjectInfo", memory, CL_MEM_SIZE));
}

}  // namespace

void rehearse(const Setup& setup, const sparse::PhaseParameters& parameters,
              const kernel::Handmade& made, cl_kernel kernel) try {
  const cl_context context = setup.target.context;
  const auto level = sparse::make_level(std::uint64_t{1} << kLogLength, kLogBuckets, 4);
  auto small = parameters;
  small.coarse = small.fine = {level};
  const PhaseMemory memory(setup, small, 0);
  const auto signal = runtime::allocate_zeros(context, sizeof(double) << (kLogLength + 1));
  const auto taps =
      runtime::allocate_zeros(context, parameters.window.width * sizeof(double) << kLogBuckets);
  // Zeros make empty lists; a kernel would follow garbage in them.
  const std::array buffers{
      zeros_like(context, memory.buckets.get()), zeros_like(context, memory.state.get()),
      zeros_like(context, memory.cells.get()),   zeros_like(context, memory.phases.get()),
      zeros_like(context, memory.weights.get()), zeros_like(context, memory.amplitudes.get())};
  runtime::Arguments arguments(kernel);
  arguments.value(signal.get()).value(taps.get());
  for (const auto& buffer : buffers) arguments.value(buffer.get());
  arguments.value(attempt_at(level))
      .value(cl_uint{sparse::IMAGO_FIRST_ROUND})
      .value(cl_uint{sparse::IMAGO_FIRST_ROUND});
  const auto queue = runtime::make_queue(context, setup.target.device);
  runtime::Sequence sequence(queue.get());
  sequence.launch({kernel, made.name.c_str(), 1, made.items});
  runtime::check(clFinish(queue.get()), "clFinish", made.name);
} catch (const DeviceError& error) {
  base::log(LogLevel::debug, "test launch of " + made.name + ": " + error.what());
}

}  // namespace imago::sparse_device
