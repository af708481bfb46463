// This file times exact convolutions of integers on the default device, beside a copy of the bytes
// that their transforms must move.
//   exact [LOG2 OF THE OUTPUTS...]    default: 20 22 24
// A row has the outputs, the time of a call, the processor time of this program, the bytes of its
// kernels (each point read and written once a kernel) by the time, and their fraction of what a
// copy of 256 MB reaches.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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
  std::printf("%10s %10s %12s %8s %10s %9s\n", "outputs", "ms", "processor ms", "kernels", "GB/s",
              "of copy");
  std::vector<int> logs;
  for (int i = 1; i < count; ++i) logs.push_back(std::atoi(words[i]));
  if (logs.empty()) logs = {20, 22, 24};
  for (const int log : logs) {
    const std::size_t n = std::size_t{1} << (log - 1);
    const imago::IntegerConvolution plan(
        context, device,
        {.first = n, .second = n, .largest_first = 1 << 17, .largest_second = 1 << 17});
    const cl::Buffer a(context, CL_MEM_READ_WRITE, 8 * n), b(context, CL_MEM_READ_WRITE, 8 * n),
        c(context, CL_MEM_READ_WRITE, 16 * n);
    queue.enqueueFillBuffer(a, std::int64_t{3}, 0, 8 * n);
    queue.enqueueFillBuffer(b, std::int64_t{-5}, 0, 8 * n);
    const auto [seconds, processor] = times_of(queue, [&] { plan.apply(queue, a, b, c); });
    const double bytes = 32.0 * static_cast<double>(plan.points() * plan.builds().size());
    std::printf("%10zu %10.3f %12.3f %8zu %10.0f %9.2f\n", 2 * n, seconds * 1e3, processor * 1e3,
                plan.builds().size(), bytes / seconds / 1e9, bytes / seconds / rate);
  }
}
