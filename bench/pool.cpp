// This program measures the devices of a Pool, with one, two, four, ... of them. It measures
// batches in host memory, batches on the devices, and a cube out of core compared with copies
// alone. Results in host memory are checked.
//
//   imago_pool host MIB           a batch of lines of 1024 points in host memory, of this size
//   imago_pool resident MIB       the same on the devices
//   imago_pool cube N LIMIT_MIB   N^3 complex numbers in host memory, with this limit per device
//
// A last argument `pinned` pins the arrays in host memory first (Pool::pin).
//
// The program uses GPUs if there are any; else CPUs, with copies as for GPUs.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <imago/imago.hpp>

#include "bench/host_clock.hpp"

namespace {

using namespace imago;
using bench::now;
using Float = std::complex<float>;

constexpr std::size_t kMib = std::size_t{1} << 20;
constexpr std::size_t kLine = 1024;
constexpr int kRepeats = 5;
constexpr std::size_t kFill = std::size_t{1} << 30;

std::vector<cl::Device> all_devices() {
  std::vector<cl::Device> gpus, others;
  for (const auto& device : devices())
    (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU ? gpus : others).push_back(device);
  return gpus.empty() ? others : gpus;
}

/// Returns 1, 2, 4, ... devices, and all.
std::vector<std::size_t> counts(std::size_t most) {
  std::vector<std::size_t> found;
  for (std::size_t count = 1; count < most; count *= 2) found.push_back(count);
  found.push_back(most);
  return found;
}

Pool pool_of(const std::vector<cl::Device>& all, std::size_t count) {
  return Pool({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)}, {.copies = true});
}

/// Memory that is not touched here, so that many threads may write it first.
struct Numbers {
  explicit Numbers(std::size_t n)
      : count(n), data(std::make_unique_for_overwrite<char[]>(n * sizeof(Float))) {}
  Float* begin() const { return reinterpret_cast<Float*>(data.get()); }
  std::span<Float> view() const { return {begin(), count}; }

  std::size_t count;
  std::unique_ptr<char[]> data;
};

/// Calls work(first, last) on as many threads as there are cores.
template <class Work>
void in_parallel(std::size_t count, const Work& work) {
  const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> all;
  for (std::size_t i = 0; i < threads; ++i)
    all.emplace_back([&, i] { work(count * i / threads, count * (i + 1) / threads); });
}

std::vector<Float> wave(std::size_t n, std::size_t frequency) {
  std::vector<Float> found(n);
  for (std::size_t j = 0; j < n; ++j)
    found[j] = Float(std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(frequency * j % n) /
                                         static_cast<double>(n)));
  return found;
}

/// Measures concurrent copies of pinned memory in both directions, in bytes per second each way, on
/// all devices.
class CopyRate {
 public:
  explicit CopyRate(const Pool& pool) {
    for (std::size_t i = 0; i < pool.size(); ++i) ways_.emplace_back(pool, i);
  }
  double measure() {
    for (Way& way : ways_) way.enqueue(2);
    finish();
    const double start = now();
    for (Way& way : ways_) way.enqueue(kTimes);
    finish();
    return static_cast<double>(ways_.size() * kTimes * kBytes) / (now() - start);
  }

 private:
  static constexpr std::size_t kBytes = 64 * kMib;
  static constexpr int kTimes = 16;

  struct Way {
    Way(const Pool& pool, std::size_t i)
        : up(pool.context(i), pool.device(i)),
          down(pool.context(i), pool.device(i)),
          pinned_up(pool.context(i), CL_MEM_ALLOC_HOST_PTR, kBytes),
          pinned_down(pool.context(i), CL_MEM_ALLOC_HOST_PTR, kBytes),
          there(pool.context(i), CL_MEM_READ_WRITE, kBytes),
          back(pool.context(i), CL_MEM_READ_WRITE, kBytes) {
      const cl_map_flags both = CL_MAP_READ | CL_MAP_WRITE;
      host_up = up.enqueueMapBuffer(pinned_up, CL_TRUE, both, 0, kBytes);
      host_down = down.enqueueMapBuffer(pinned_down, CL_TRUE, both, 0, kBytes);
    }
    void enqueue(int times) {
      for (int i = 0; i < times; ++i) {
        up.enqueueWriteBuffer(there, CL_FALSE, 0, kBytes, host_up);
        down.enqueueReadBuffer(back, CL_FALSE, 0, kBytes, host_down);
      }
      up.flush();
      down.flush();
    }
    cl::CommandQueue up, down;
    cl::Buffer pinned_up, pinned_down, there, back;
    void *host_up, *host_down;
  };

  void finish() {
    for (Way& way : ways_) {
      way.up.finish();
      way.down.finish();
    }
  }

  std::vector<Way> ways_;
};

[[noreturn]] void wrong(const char* what) {
  std::fprintf(stderr, "imago_pool: %s is wrong\n", what);
  std::exit(1);
}

/// Checks lines that each hold one wave, whose transform is known.
void check_lines(const Float* lines, std::size_t batch) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::size_t b = random() % batch, k = random() % kLine, peak = b % kLine;
    const Float at_peak = lines[b * kLine + peak], at_k = lines[b * kLine + k];
    if (std::abs(at_peak - Float(kLine)) > 1e-2f) wrong("a line");
    if (k != peak && std::abs(at_k) > 1e-2f) wrong("a line");
  }
}

Numbers lines_of_waves(std::size_t batch) {
  Numbers x(batch * kLine);
  const auto base = wave(kLine, 1);
  in_parallel(batch, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b) {
      for (std::size_t j = 0; j < kLine; ++j) x.begin()[b * kLine + j] = base[b * j % kLine];
    }
  });
  return x;
}

/// Pins arrays of host memory if requested, and records the time.
class Pins {
 public:
  Pins(const Pool& pool, bool wished, const std::vector<HostBytes>& arrays) {
    if (!wished) return;
    const double start = now();
    for (const HostBytes& array : arrays) pinned_.push_back(pool.pin(array));
    std::printf("pinned in %.3f s; ", now() - start);
  }

 private:
  std::vector<Pinned> pinned_;
};

void host(std::size_t mib, bool pinned) {
  const auto all = all_devices();
  const std::size_t batch = mib * kMib / (kLine * sizeof(Float));
  const Numbers x = lines_of_waves(batch), y(batch * kLine);
  double one = 0;
  for (const std::size_t count : counts(all.size())) {
    const Pool pool = pool_of(all, count);
    const HostPlan plan(pool, {.lengths = {kLine}, .batch = batch});
    const Pins pins(pool, pinned, {{x.begin(), mib * kMib}, {y.begin(), mib * kMib}});
    double best = 1e300;
    for (int i = 0; i <= kRepeats; ++i) {  // the first makes pinned memory and clears pages
      const double start = now();
      plan.forward(x.view(), y.view());
      if (i > 0) best = std::min(best, now() - start);
    }
    check_lines(y.begin(), batch);
    if (count == 1) one = best;
    const double rate = CopyRate(pool).measure();
    const double copies = static_cast<double>(mib * kMib) / rate;
    std::printf(
        "host, %zu MiB: %zu devices %.2f ms, %.2f times one; copies alone %.2f ms (%.1f GB/s each "
        "way), "
        "%.2f of that\n",
        mib, count, 1e3 * best, one / best, 1e3 * copies, 1e-9 * rate, copies / best);
  }
}

void resident(std::size_t mib) {
  const auto all = all_devices();
  const std::size_t batch = mib * kMib / (kLine * sizeof(Float));
  double one = 0;
  for (const std::size_t count : counts(all.size())) {
    const Pool pool = pool_of(all, count);
    const MultiDevicePlan plan(
        pool, {.lengths = {kLine}, .batch = batch, .placement = Placement::in_place});
    std::vector<cl::Buffer> buffers;
    std::string shares;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t bytes = plan.shares()[i] * kLine * sizeof(Float);
      buffers.emplace_back(pool.context(i), CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 4));
      // Fills in parts, because NVIDIA's driver hangs in a fill of 8 GiB (580.159.04).
      for (std::size_t at = 0; at < bytes; at += kFill)
        plan.queue(i).enqueueFillBuffer(buffers.back(), 0.0f, at, std::min(kFill, bytes - at));
      shares += " " + std::to_string(plan.shares()[i]);
    }
    const std::vector<Array> data(buffers.begin(), buffers.end());
    double best = 1e300;
    constexpr int kCalls = 20;
    for (int i = 0; i < kRepeats; ++i)
      best = std::min(
          best,
          bench::time_train([&] { plan.forward(data); }, [&] { plan.finish(); }, kCalls) / kCalls);
    if (count == 1) one = best;
    std::printf("resident, %zu MiB: %zu devices %.3f ms, %.2f times one; shares%s\n", mib, count,
                1e3 * best, one / best, shares.c_str());
  }
}

/// Checks the transform of a wave along all three axes, which is one nonzero number.
void check_cube(const Float* cube, std::size_t n, const std::size_t (&peak)[3]) {
  const auto at = [&](std::size_t a, std::size_t b, std::size_t c) {
    return cube[(a * n + b) * n + c];
  };
  const auto points = static_cast<float>(n) * static_cast<float>(n) * static_cast<float>(n);
  if (std::abs(at(peak[0], peak[1], peak[2]) - Float(points)) > 1e-5f * points) wrong("the peak");
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    const std::size_t a = random() % n, b = random() % n, c = random() % n;
    const bool is_peak = a == peak[0] && b == peak[1] && c == peak[2];
    if (!is_peak && std::abs(at(a, b, c)) > 1e-5f * points) wrong("the cube");
  }
}

/// Returns the number of passes of the forward direction.
std::size_t passes_of(const HostPlan& plan) {
  const std::string text = plan.describe(), line = "forward, pass ";
  std::size_t found = 0;
  for (auto at = text.find(line); at != text.npos; at = text.find(line, at + 1)) ++found;
  return std::max<std::size_t>(found, 1);
}

void cube(std::size_t n, std::size_t limit_mib, bool pinned) {
  const std::size_t peak[3] = {1, n / 3, n - 1};
  const auto a = wave(n, peak[0]), b = wave(n, peak[1]), c = wave(n, peak[2]);
  const Numbers data(n * n * n);
  const auto all = all_devices();
  for (const std::size_t count : counts(all.size())) {
    in_parallel(n, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          Float* const row = data.begin() + (i * n + j) * n;
          for (std::size_t k = 0; k < n; ++k) row[k] = a[i] * b[j] * c[k];
        }
      }
    });
    const Pool pool = pool_of(all, count);
    const HostPlan plan(pool, {.lengths = {n, n, n}, .placement = Placement::in_place},
                        {.memory_limit = limit_mib * kMib});
    std::printf("%s", plan.describe().c_str());
    const Pins pins(pool, pinned, {{data.begin(), data.count * sizeof(Float)}});
    const double start = now();
    double last = 0;
    plan.forward(data.view(), {.progress = [&](double share) {
                   if (share - last < 0.1) return;
                   last = share;
                   std::fprintf(stderr, "%3.0f %% after %.2f s\n", 100 * share, now() - start);
                 }});
    const double took = now() - start;
    check_cube(data.begin(), n, peak);
    const double rate = CopyRate(pool).measure();
    const double bytes = static_cast<double>(data.count * sizeof(Float));
    const std::size_t passes = passes_of(plan);
    const double copies = static_cast<double>(passes) * bytes / rate;
    std::printf(
        "cube, %zu^3, %.2f GiB, %zu MiB allowed: %zu devices %.2f s; %zu passes of copies alone "
        "%.2f s "
        "(%.1f GB/s each way), %.2f of that\n",
        n, bytes / (1 << 30), limit_mib, count, took, passes, copies, 1e-9 * rate, copies / took);
  }
}

}  // namespace

int main(int count, char** words) {
  const std::string mode = count > 2 ? words[1] : "";
  const bool pinned = words[count - 1] == std::string("pinned");
  const auto number = [&](int i) {
    return static_cast<std::size_t>(std::strtoull(words[i], nullptr, 10));
  };
  try {
    if (mode == "host" && number(2) > 0)
      host(number(2), pinned);
    else if (mode == "resident" && number(2) > 0)
      resident(number(2));
    else if (mode == "cube" && count > 3 && number(2) > 0)
      cube(number(2), number(3), pinned);
    else {
      std::fprintf(
          stderr,
          "imago_pool host MIB [pinned] | resident MIB | cube N LIMIT_MIB [pinned], all above "
          "0\n");
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "imago_pool: %s\n", error.what());
    return 1;
  }
  return 0;
}
