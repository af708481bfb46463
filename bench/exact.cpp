// This file times exact convolutions of integers, and transforms of residues, on the default
// device, beside a copy of the bytes that their kernels must move.
//   exact [LOG2 OF THE OUTPUTS...]    default: 20 22 24
//   exact wide [LOG2 OF THE OUTPUTS...]    in two rings: the times only
//   exact rings [LOG2 OF THE POINTS...]    default: 20 24, one transform and 2^26 points
// A row has the outputs, the time of a call, the processor time of this program, the bytes of its
// kernels (each point read and written once a kernel) by the time, and their fraction of what a
// copy of 256 MB reaches.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include <imago/devices.hpp>
#include <imago/exact.hpp>

namespace {

struct Times {
  double seconds = 1e9, processor = 1e9;
};

/// Returns the shortest times of some calls.
template <class Work>
Times times_of(const cl::CommandQueue& queue, const Work& work) {
  Times best;
  for (int i = 0; i < 12; ++i) {
    const std::clock_t busy = std::clock();
    const auto start = std::chrono::steady_clock::now();
    work();
    queue.finish();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    best.seconds = std::min(best.seconds, passed.count());
    best.processor =
        std::min(best.processor, static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC);
  }
  return best;
}

/// Prints the rows of transforms of residues.
void time_rings(const cl::Context& context, const cl::Device& device, double rate,
                std::vector<int> logs) {
  const cl::CommandQueue queue(context, device);
  constexpr int kFilled = 26;
  std::printf("%10s %10s %6s %10s %8s %10s %9s\n", "ring", "points", "batch", "ms", "kernels",
              "GB/s", "of copy");
  if (logs.empty()) logs = {20, 24};
  for (const auto ring : {imago::Ring::goldilocks, imago::Ring::baby_bear}) {
    for (const int log : logs) {
      for (const std::size_t batch :
           {std::size_t{1}, std::size_t{1} << std::max(1, kFilled - log)}) {
        imago::Options options;
        options.trust_device = true;  // its test would move all residues
        const imago::ModularPlan plan(context, device,
                                      {.lengths = {std::size_t{1} << log},
                                       .batch = batch,
                                       .ring = ring,
                                       .directions = imago::Directions::forward},
                                      options);
        const cl::Buffer x(context, CL_MEM_READ_WRITE, plan.bytes()),
            spectrum(context, CL_MEM_READ_WRITE, plan.bytes());
        queue.enqueueFillBuffer(x, std::uint32_t{123456789}, 0, plan.bytes());
        const double seconds = times_of(queue, [&] { plan.forward(queue, x, spectrum); }).seconds;
        const double bytes = 2.0 * static_cast<double>(plan.bytes() * plan.builds().size());
        std::printf("%10s %10zu %6zu %10.3f %8zu %10.0f %9.2f\n",
                    ring == imago::Ring::goldilocks ? "goldilocks" : "baby_bear",
                    plan.transform().lengths[0], batch, seconds * 1e3, plan.builds().size(),
                    bytes / seconds / 1e9, bytes / seconds / rate);
      }
    }
  }
}

}  // namespace

int main(int count, char** words) {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const std::size_t copied = std::size_t{1} << 28;
  const cl::Buffer from(context, CL_MEM_READ_WRITE, copied), to(context, CL_MEM_READ_WRITE, copied);
  const Times copy = times_of(queue, [&] { queue.enqueueCopyBuffer(from, to, 0, 0, copied); });
  const double rate = 2.0 * copied / copy.seconds;
  std::printf("%s, a copy reaches %.0f GB/s\n", device.getInfo<CL_DEVICE_NAME>().c_str(),
              rate / 1e9);
  const auto is_first = [&](const char* word) {
    return count > 1 && std::strcmp(words[1], word) == 0;
  };
  const bool rings = is_first("rings"), wide = is_first("wide");
  const std::uint64_t largest = std::uint64_t{1} << (wide ? 30 : 17);
  std::vector<int> logs;
  for (int i = rings || wide ? 2 : 1; i < count; ++i) logs.push_back(std::atoi(words[i]));
  if (rings) {
    time_rings(context, device, rate, logs);
    return 0;
  }
  std::printf("%10s %10s %12s %8s %10s %9s\n", "outputs", "ms", "processor ms", "kernels", "GB/s",
              "of copy");
  if (logs.empty()) logs = {20, 22, 24};
  for (const int log : logs) {
    const std::size_t n = std::size_t{1} << (log - 1);
    const imago::IntegerConvolution plan(
        context, device,
        {.first = n,
         .second = n,
         .largest_first = largest,
         .largest_second = largest,
         .results = wide ? imago::IntegerResults::modulo : imago::IntegerResults::int64});
    const cl::Buffer a(context, CL_MEM_READ_WRITE, 8 * n), b(context, CL_MEM_READ_WRITE, 8 * n),
        c(context, CL_MEM_READ_WRITE, 16 * n);
    queue.enqueueFillBuffer(a, std::int64_t{3}, 0, 8 * n);
    queue.enqueueFillBuffer(b, std::int64_t{-5}, 0, 8 * n);
    const auto [seconds, processor] = times_of(queue, [&] { plan.apply(queue, a, b, c); });
    if (wide) {
      std::printf("%10zu %10.3f %12.3f\n", 2 * n, seconds * 1e3, processor * 1e3);
      continue;
    }
    const double bytes = 32.0 * static_cast<double>(plan.points() * plan.builds().size());
    std::printf("%10zu %10.3f %12.3f %8zu %10.0f %9.2f\n", 2 * n, seconds * 1e3, processor * 1e3,
                plan.builds().size(), bytes / seconds / 1e9, bytes / seconds / rate);
  }
}
