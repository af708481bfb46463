// This program compares imago's calls on CUDA's memory with its calls by OpenCL, and with cuFFT.
//
//   imago_cuda bits [COUNT [SEED]]   Compares the bits of random problems of the catalogue: by
//                                    OpenCL; by CUDA in one stream, in a graph, in three streams at
//                                    the same time, and in a second context.
//   imago_cuda single                Times single transforms back to back, and in graphs of 100.
//   imago_cuda plans [COUNT]         Makes, uses and destroys plans, and shows that no memory is
//   lost. imago_cuda first                 Times first answers of 20 shapes on generic kernels, and
//   what
//                                    CUDA's calls for it cost.
//   imago_cuda launch                Shows what launches of one work-group cost, and how the
//   kernels
//                                    of imago and cuFFT are launched.
//
// CUDA's driver and cuFFT are loaded at run time, so that the program needs no toolkit.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <imago/cuda.hpp>
#include <imago/imago.hpp>

#include "bench/cuda_driver.hpp"
#include "bench/cuda_launch.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"

namespace imago::bench {
namespace {

using Bytes = std::vector<char>;
using Clock = std::chrono::steady_clock;

void* library(const char* name) { return dlopen(name, RTLD_NOW | RTLD_GLOBAL); }

/// Memory of the current context.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
    cu("cuMemAlloc_v2", &address_, bytes_);
    cu("cuMemsetD8_v2", address_, static_cast<unsigned char>(0x55), bytes_);
  }
  explicit Memory(const Bytes& data) : Memory(data.size()) {
    cu("cuMemcpyHtoD_v2", address_, static_cast<const void*>(data.data()), data.size());
  }
  ~Memory() { cu("cuMemFree_v2", address_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  CudaPointer address() const { return address_; }
  Bytes read() const {
    Bytes data(bytes_);
    cu("cuMemcpyDtoH_v2", static_cast<void*>(data.data()), address_, bytes_);
    return data;
  }

 private:
  CudaPointer address_ = 0;  // unsigned long long, as CUdeviceptr
  std::size_t bytes_;
};

using Stream = CudaQueue;
using Graph = CudaGraph;

// ---------------------------------------------------------------------------------------- bits

Bytes random_bytes(std::size_t bytes, Precision precision, catalogue::Random& random) {
  Bytes data(bytes);
  for (std::size_t at = 0; at + 8 <= bytes; at += 8) {
    const double number = random.uniform();
    const float two[2] = {static_cast<float>(number), static_cast<float>(random.uniform())};
    // Halves: any bits with an exponent below 1.
    const std::uint64_t halves = random.bits() & 0xbbffbbffbbffbbffull;
    const void* from = precision == Precision::f64   ? static_cast<const void*>(&number)
                       : precision == Precision::f16 ? static_cast<const void*>(&halves)
                                                     : two;
    std::memcpy(&data[at], from, 8);
  }
  return data;
}

/// A problem, and its result by OpenCL.
struct Problem {
  Transform transform;
  Options options;
  bool inverse = false;
  Bytes from, to;

  bool in_place() const { return transform.placement == Placement::in_place; }
};

Bytes by_opencl(const Problem& problem) {
  static const cl::Device device = find_device();
  static const cl::Context context(device);
  static const cl::CommandQueue queue(context, device);
  const Plan plan(context, device, problem.transform, problem.options);
  const cl::Buffer in(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, problem.from.size(),
                      const_cast<char*>(problem.from.data()));
  Bytes result(problem.to.size());
  if (problem.in_place()) {
    problem.inverse ? plan.inverse(queue, in) : plan.forward(queue, in);
    queue.enqueueReadBuffer(in, CL_TRUE, 0, result.size(), result.data());
    return result;
  }
  std::memset(result.data(), 0x55, result.size());
  const cl::Buffer out(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, result.size(),
                       result.data());
  problem.inverse ? plan.inverse(queue, in, out) : plan.forward(queue, in, out);
  queue.enqueueReadBuffer(out, CL_TRUE, 0, result.size(), result.data());
  return result;
}

/// One call: its arrays, and the result.
struct Use {
  Memory in, out;

  explicit Use(const Problem& problem) : in(problem.from), out(problem.to.size()) {
    cu("cuCtxSynchronize");  // the streams do not wait for the default stream, which filled them
  }
  void enqueue(const CudaPlan& plan, const Problem& problem, CudaStream stream) const {
    if (problem.in_place())
      problem.inverse ? plan.inverse(stream, in.address()) : plan.forward(stream, in.address());
    else if (problem.inverse)
      plan.inverse(stream, in.address(), out.address());
    else
      plan.forward(stream, in.address(), out.address());
  }
  Bytes result(const Problem& problem) const { return problem.in_place() ? in.read() : out.read(); }
};

/// Returns what differs; empty: nothing.
std::string compare(const Problem& problem, bool second_context, CUctx_st* other) {
  std::string wrong;
  const auto check = [&](const Bytes& result, const char* where) {
    if (result != problem.to) wrong += std::string(" ") + where;
  };
  const CudaPlan plan(problem.transform, problem.options);
  const Stream streams[3];
  {
    const Use use(problem);
    use.enqueue(plan, problem, streams[0].get());
    streams[0].wait();
    check(use.result(problem), "stream");
  }
  {
    const Use use(problem);
    const Graph graph(streams[1], [&] { use.enqueue(plan, problem, streams[1].get()); });
    graph.launch(streams[1]);
    streams[1].wait();
    check(use.result(problem), "graph");
  }
  {
    const Use uses[3] = {Use(problem), Use(problem), Use(problem)};
    for (std::size_t i = 0; i < 3; ++i) uses[i].enqueue(plan, problem, streams[i].get());
    for (const Stream& stream : streams) stream.wait();
    for (const Use& use : uses) check(use.result(problem), "three-streams");
  }
  if (!second_context) return wrong;
  CUctx_st* popped = nullptr;
  cu("cuCtxPushCurrent_v2", other);
  {
    const CudaPlan there(problem.transform, problem.options);
    const Use use(problem);
    use.enqueue(there, problem, nullptr);
    cu("cuCtxSynchronize");
    check(use.result(problem), "second-context");
  }
  cu("cuCtxPopCurrent_v2", &popped);
  return wrong;
}

int bits(std::size_t count, std::uint64_t seed) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  constexpr std::size_t kOwn = 8, kOther = 10;  // one of so many
  CUctx_st* const primary = use_primary_context();
  CUctx_st* other = nullptr;
  cu("cuCtxCreate_v2", &other, 0u, 0);
  cu("cuCtxSetCurrent", primary);
  const auto all = catalogue::cases(catalogue::Tier::ci, seed, {});
  catalogue::Random random(seed);
  std::size_t done = 0, different = 0, refused = 0;
  for (std::size_t tries = 0; done < count && tries < 10 * count; ++tries) {
    const catalogue::Case& one = all[random.below(all.size())];
    Problem problem;
    problem.transform = one.transform();
    problem.inverse = one.direction == catalogue::Direction::inverse;
    problem.options.parameters = tries % kOwn == 0 ? one.parameters : Parameters{};
    problem.options.first_call = tries % kOwn == 0 ? FirstCall::compile : FirstCall::generic;
    const bool planar = problem.transform.signal.storage == Storage::planar ||
                        problem.transform.spectrum.storage == Storage::planar;
    if (planar) continue;
    try {
      const CudaPlan plan(problem.transform, problem.options);
      std::size_t from = plan.plan().signal_bytes(), to = plan.plan().spectrum_bytes();
      if (problem.inverse) std::swap(from, to);
      if (problem.in_place()) from = to = std::max(from, to);
      if (from > kMostBytes || to > kMostBytes) continue;
      problem.from = random_bytes(from, problem.transform.precision, random);
      problem.to.resize(to);
      problem.to = by_opencl(problem);
    } catch (const Error&) {  // parameters that this device cannot have
      ++refused;
      continue;
    }
    ++done;
    const std::string wrong = compare(problem, tries % kOther == 0, other);
    if (wrong.empty()) continue;
    ++different;
    std::printf("%s:%s\n", one.name().c_str(), wrong.c_str());
  }
  std::printf("%zu problems, %zu with other bits, %zu that this device cannot have\n", done,
              different, refused);
  return different == 0 ? 0 : 1;
}

// -------------------------------------------------------------------------------------- single

constexpr std::size_t kGraph = 100;

/// A way to compute one transform again and again.
struct Way {
  std::string name;
  std::function<void()> enqueue;
  std::function<void()> wait;
  std::size_t transforms = 1;  ///< transforms of one call of enqueue
  std::vector<double> times = {};
};

double time(const Way& way, std::size_t calls) {
  way.enqueue();
  way.wait();
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < calls; ++i) way.enqueue();
  way.wait();
  const std::chrono::duration<double, std::micro> taken = Clock::now() - begin;
  return taken.count() / static_cast<double>(calls * way.transforms);
}

void measure(std::vector<std::size_t> lengths, bool f64) {
  Transform transform;
  transform.lengths = lengths;
  transform.precision = f64 ? Precision::f64 : Precision::f32;
  transform.directions = Directions::forward;
  const CudaPlan plan(transform);
  const Stream stream;
  const Memory in(plan.plan().signal_bytes()), out(plan.plan().spectrum_bytes());
  const auto wait = [&] { stream.wait(); };
  const auto by_cuda = [&] { plan.forward(stream.get(), in.address(), out.address()); };
  std::vector<Way> ways = {{"cuda", by_cuda, wait}};
  by_cuda();
  stream.wait();
  const Graph graph(stream, [&] {
    for (std::size_t i = 0; i < kGraph; ++i) by_cuda();
  });
  ways.push_back({"cuda graph", [&] { graph.launch(stream); }, wait, kGraph});

  const cl::Device device = find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const Plan opencl(context, device, transform);
  const cl::Buffer a(context, CL_MEM_READ_WRITE, opencl.signal_bytes()),
      b(context, CL_MEM_READ_WRITE, opencl.spectrum_bytes());
  ways.push_back({"opencl", [&] { opencl.forward(queue, a, b); }, [&] { queue.finish(); }});

  void* cufft = nullptr;
  for (const char* const name : {"libcufft.so.12", "libcufft.so.11", "libcufft.so"})
    if (!cufft) cufft = library(name);
  int handle = 0;
  std::unique_ptr<Graph> peer_graph;
  const auto by_cufft = [&] {
    call(cufft, f64 ? "cufftExecZ2Z" : "cufftExecC2C", handle,
         reinterpret_cast<void*>(in.address()), reinterpret_cast<void*>(out.address()), -1);
  };
  if (cufft) {
    std::vector<int> n(lengths.begin(), lengths.end());
    call(cufft, "cufftPlanMany", &handle, static_cast<int>(n.size()), n.data(),
         static_cast<int*>(nullptr), 1, 0, static_cast<int*>(nullptr), 1, 0, f64 ? 0x69 : 0x29, 1);
    call(cufft, "cufftSetStream", handle, stream.get());
    ways.push_back({"cufft", by_cufft, wait});
    by_cufft();
    stream.wait();
    peer_graph = std::make_unique<Graph>(stream, [&] {
      for (std::size_t i = 0; i < kGraph; ++i) by_cufft();
    });
    ways.push_back({"cufft graph", [&] { peer_graph->launch(stream); }, wait, kGraph});
  }

  constexpr std::size_t kRounds = 11;
  for (Way& way : ways) {
    const double one = time(way, std::max<std::size_t>(1, 200 / way.transforms));
    const double calls = 20000 / (one * static_cast<double>(way.transforms));  // 20 ms
    way.times.push_back(std::clamp(calls, 2.0, 4000.0));
  }
  for (std::size_t round = 0; round < kRounds; ++round)
    for (Way& way : ways)
      way.times.push_back(time(way, static_cast<std::size_t>(way.times.front())));
  std::string name;
  for (const std::size_t n : lengths) name += (name.empty() ? "" : "x") + std::to_string(n);
  std::printf("%-14s %s", name.c_str(), f64 ? "f64" : "f32");
  for (Way& way : ways) {
    way.times.erase(way.times.begin());
    std::nth_element(way.times.begin(), way.times.begin() + kRounds / 2, way.times.end());
    std::printf("  %s %.2f", way.name.c_str(), way.times[kRounds / 2]);
  }
  std::printf("  us\n");
  std::fflush(stdout);
  if (cufft) call(cufft, "cufftDestroy", handle);
}

int single() {
  use_primary_context();
  for (const bool f64 : {false, true}) {
    for (const std::vector<std::size_t>& lengths : {std::vector<std::size_t>{1024},
                                                    {4096},
                                                    {1000},
                                                    {1009},
                                                    {16384},
                                                    {65536},
                                                    {1048576},
                                                    {64, 64},
                                                    {512, 512},
                                                    {640, 480},
                                                    {64, 64, 64}})
      measure(lengths, f64);
  }
  return 0;
}

// --------------------------------------------------------------------------------------- plans

double free_megabytes() {
  std::size_t free = 0, all = 0;
  cu("cuCtxSynchronize");
  cu("cuMemGetInfo_v2", &free, &all);
  return static_cast<double>(free) * 1e-6;
}

/// Returns the process's memory in megabytes.
double host_megabytes() {
  std::size_t all = 0, resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (std::fscanf(file, "%zu %zu", &all, &resident) != 2) resident = 0;
  std::fclose(file);
  return static_cast<double>(resident) * 4096e-6;
}

/// Makes a plan, calls it in a stream, in another one or in a graph, and destroys it while it runs.
void use_plan(std::size_t i, const Stream (&streams)[2], const Memory& in, const Memory& out) {
  Transform transform;
  transform.lengths = {16 + i % 509};
  transform.batch = 1 + i % 7;
  transform.precision = i % 2 == 0 ? Precision::f32 : Precision::f64;
  transform.kind = i % 3 == 0 ? Kind::real : Kind::complex;
  Options options;
  options.first_call = FirstCall::generic;
  const CudaPlan plan(transform, options);
  const Stream& stream = streams[i % 2];
  const auto enqueue = [&] { plan.forward(stream.get(), in.address(), out.address()); };
  if (i % 10 != 0) return enqueue();
  const Graph graph(stream, enqueue);
  graph.launch(stream);
}

int plans(std::size_t count) {
  constexpr double kMostLost = 64;  // megabytes: what may wait for a stream's next command
  use_primary_context();
  const Stream streams[2];
  const Memory in(1 << 20), out(1 << 20);
  const std::size_t part = std::max<std::size_t>(count / 10, 1);
  for (std::size_t i = 0; i < part; ++i) use_plan(i, streams, in, out);
  const double device = free_megabytes(), host = host_megabytes();
  for (std::size_t i = 0; i < count; ++i) {
    if (i % part == 0)
      std::printf("%6zu plans: %8.1f MB of the GPU and %8.1f MB of the host more in use\n", i,
                  device - free_megabytes(), host_megabytes() - host);
    use_plan(i, streams, in, out);
  }
  const double lost = device - free_megabytes(), grown = host_megabytes() - host;
  std::printf("%6zu plans: %8.1f MB of the GPU and %8.1f MB of the host more in use: %s\n", count,
              lost, grown, lost < kMostLost && grown < kMostLost ? "none is lost" : "LOST");
  return lost < kMostLost && grown < kMostLost ? 0 : 1;
}

// --------------------------------------------------------------------------------------- first

double microseconds(const std::function<void()>& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

/// Prints the time of a call of CUDA: the first, the median, and the longest of 50.
void cost(const char* what, const std::function<void()>& work) {
  std::vector<double> times(50);
  for (double& time : times) time = microseconds(work);
  const double once = times.front();
  std::sort(times.begin(), times.end());
  std::printf("  %-44s %8.1f %8.1f %8.1f\n", what, once, times[25], times.back());
}

void costs_of_calls() {
  std::printf("calls of CUDA, us: the first, the median, the longest of 50\n");
  CudaPointer memory = 0;
  const Memory to(65536);
  const Stream stream;
  const Bytes from(65536);
  cost("cuMemAlloc and cuMemFree of 4 KiB", [&] {
    cu("cuMemAlloc_v2", &memory, std::size_t{4096});
    cu("cuMemFree_v2", memory);
  });
  cost("cuMemAlloc and cuMemFree of 4 MiB", [&] {
    cu("cuMemAlloc_v2", &memory, std::size_t{4} << 20);
    cu("cuMemFree_v2", memory);
  });
  cost("a stream is made and destroyed", [] { const Stream made; });
  cost("64 KiB to the GPU, with the wait", [&] {
    cu("cuMemcpyHtoDAsync_v2", to.address(), static_cast<const void*>(from.data()), from.size(),
       stream.get());
    stream.wait();
  });
  cost("CudaScope", [] { const CudaScope scope; });
}

int first() {
  use_primary_context();
  Options options;
  options.first_call = FirstCall::generic;
  std::printf("the first plans of the device, ms:");
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const Kind kind : {Kind::complex, Kind::real}) {
      Transform transform;
      transform.lengths = {120};
      transform.precision = precision;
      transform.kind = kind;
      std::printf(" %.2f", 1e-3 * microseconds([&] { const CudaPlan plan(transform, options); }));
    }
  }
  std::printf("\n");
  costs_of_calls();
  std::printf("first answers, ms on the host: plan, call, wait; another plan of the shape\n");
  double worst = 0;
  for (const std::vector<std::size_t>& lengths : {std::vector<std::size_t>{1024},
                                                  {1000},
                                                  {360},
                                                  {1009},
                                                  {101},
                                                  {4096},
                                                  {65536},
                                                  {99999},
                                                  {1 << 20},
                                                  {64, 64},
                                                  {512, 512},
                                                  {640, 480},
                                                  {100, 100},
                                                  {1080, 1920},
                                                  {64, 64, 64},
                                                  {30, 40, 50},
                                                  {17, 19},
                                                  {2048, 3},
                                                  {7},
                                                  {123456}}) {
    Transform transform;
    transform.lengths = lengths;
    transform.kind = lengths.size() == 2 ? Kind::real : Kind::complex;
    const Stream stream;
    std::unique_ptr<CudaPlan> plan;
    const double made =
        microseconds([&] { plan = std::make_unique<CudaPlan>(transform, options); });
    const Memory in(plan->plan().signal_bytes()), out(plan->plan().spectrum_bytes());
    cu("cuCtxSynchronize");
    const double called =
        microseconds([&] { plan->forward(stream.get(), in.address(), out.address()); });
    const double waited = microseconds([&] { stream.wait(); });
    const double again = microseconds([&] { const CudaPlan other(transform, options); });
    std::string name;
    for (const std::size_t n : lengths) name += (name.empty() ? "" : "x") + std::to_string(n);
    std::printf("  %-12s %8.3f %8.3f %8.3f  sum %8.3f  again %8.3f\n", name.c_str(), 1e-3 * made,
                1e-3 * called, 1e-3 * waited, 1e-3 * (made + called + waited), 1e-3 * again);
    worst = std::max(worst, made + called + waited);
  }
  std::printf("the longest first answer took %.2f ms (aim: 5)\n", 1e-3 * worst);
  return 0;
}

int run(int count, char** arguments) {
  const std::string mode = count > 1 ? arguments[1] : "";
  const auto number = [&](int i, std::uint64_t otherwise) {
    return count > i ? std::strtoull(arguments[i], nullptr, 10) : otherwise;
  };
  if (mode == "bits") return bits(number(2, 2000), number(3, 1));
  if (mode == "single") return single();
  if (mode == "plans") return plans(number(2, 10000));
  if (mode == "first") return first();
  if (mode == "launch") return launches();
  std::fprintf(stderr,
               "imago_cuda: give bits [COUNT [SEED]], single, plans [COUNT], first or launch\n");
  return 2;
}

}  // namespace
}  // namespace imago::bench

int main(int count, char** arguments) {
  try {
    return imago::bench::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "imago_cuda: %s\n", error.what());
    return 1;
  }
}
