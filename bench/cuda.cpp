// This program compares imago's calls on CUDA's memory with its calls by OpenCL, and with cuFFT.
//
//   imago_cuda bits [COUNT [SEED]]   Compares the bits of random problems of the catalogue: by
//                                    OpenCL; by CUDA in one stream, in a graph, in three streams at
//                                    the same time, and in a second context.
//   imago_cuda single                Times single transforms back to back, and in graphs of 100.
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

#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"

struct CUgraph_st;
struct CUgraphExec_st;

namespace imago::bench {
namespace {

using Bytes = std::vector<char>;
using Clock = std::chrono::steady_clock;

void* library(const char* name) { return dlopen(name, RTLD_NOW | RTLD_GLOBAL); }

/// Calls a function of a library by its name; throws if it fails.
template <class... Arguments>
void call(void* from, const char* name, Arguments... arguments) {
  using Function = int (*)(Arguments...);
  const auto function = reinterpret_cast<Function>(dlsym(from, name));
  if (!function) throw std::runtime_error(std::string("there is no ") + name);
  if (const int result = function(arguments...); result != 0)
    throw std::runtime_error(std::string(name) + " failed: " + std::to_string(result));
}

template <class... Arguments>
void cu(const char* name, Arguments... arguments) {
  static void* const driver = library("libcuda.so.1");
  if (!driver) throw std::runtime_error("there is no libcuda.so.1");
  call(driver, name, arguments...);
}

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

class Stream {
 public:
  Stream() { cu("cuStreamCreate", &stream_, 1u); }
  ~Stream() { cu("cuStreamDestroy_v2", stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  CudaStream get() const { return stream_; }
  void wait() const { cu("cuStreamSynchronize", stream_); }

 private:
  CudaStream stream_ = nullptr;
};

/// A graph of what a function enqueues into a stream.
class Graph {
 public:
  Graph(const Stream& stream, const std::function<void()>& enqueue) {
    CUgraph_st* graph = nullptr;
    cu("cuStreamBeginCapture_v2", stream.get(), 0);
    try {
      enqueue();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "while a graph was captured: %s\n", error.what());
      std::exit(1);
    }
    cu("cuStreamEndCapture", stream.get(), &graph);
    cu("cuGraphInstantiateWithFlags", &graph_, graph, 0ull);
    cu("cuGraphDestroy", graph);
  }
  ~Graph() { cu("cuGraphExecDestroy", graph_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch(const Stream& stream) const { cu("cuGraphLaunch", graph_, stream.get()); }

 private:
  CUgraphExec_st* graph_ = nullptr;
};

CUctx_st* use_primary_context() {
  cu("cuInit", 0u);
  CUctx_st* context = nullptr;
  cu("cuDevicePrimaryCtxRetain", &context, 0);
  cu("cuCtxSetCurrent", context);
  return context;
}

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

int run(int count, char** arguments) {
  const std::string mode = count > 1 ? arguments[1] : "";
  const auto number = [&](int i, std::uint64_t otherwise) {
    return count > i ? std::strtoull(arguments[i], nullptr, 10) : otherwise;
  };
  if (mode == "bits") return bits(number(2, 2000), number(3, 1));
  if (mode == "single") return single();
  std::fprintf(stderr, "imago_cuda: give bits [COUNT [SEED]] or single\n");
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
