// This file tests plans on CUDA's memory and streams, by the stub of the driver: the same bits as
// by OpenCL, graphs, streams, contexts, failures, and that nothing stays behind.
#include <complex>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <imago/cuda.hpp>
#include <imago/imago.hpp>

#include "catalogue/random.hpp"
#include "runtime/facts.hpp"
#include "stub.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;
using Complex = std::complex<float>;
using Bytes = std::vector<char>;

/// PoCL shows two devices, which are the stub's GPUs.
const bool two_devices = setenv("POCL_DEVICES", "pthread pthread", 0) == 0;

/// Options with which programs do not come from files: a binary of the stub names a program of this
/// process.
Options options() {
  Options options;
  options.disk_cache = false;
  options.first_call = FirstCall::compile;
  return options;
}

Bytes random_bytes(std::size_t bytes, bool f64, std::uint64_t seed) {
  catalogue::Random random(seed);
  Bytes data(bytes);
  const std::size_t size = f64 ? sizeof(double) : sizeof(float);
  for (std::size_t at = 0; at + size <= bytes; at += size) {
    const double number = random.uniform();
    const auto small = static_cast<float>(number);
    std::memcpy(&data[at], f64 ? static_cast<const void*>(&number) : &small, size);
  }
  return data;
}

/// Memory of the stub, which is the host's.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : address_(cuda_stub::allocate(bytes)), bytes_(bytes) {
    std::memset(data(), 0x55, bytes);
  }
  explicit Memory(const Bytes& bytes) : Memory(bytes.size()) {
    std::memcpy(data(), bytes.data(), bytes.size());
  }
  ~Memory() { cuda_stub::release(address_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  CudaPointer address() const { return address_; }
  char* data() const { return reinterpret_cast<char*>(address_); }  // NOLINT: the host's own
  std::size_t size() const { return bytes_; }
  Bytes bytes() const { return {data(), data() + bytes_}; }

 private:
  CudaPointer address_;
  std::size_t bytes_;
};

const std::vector<Transform>& transforms() {
  static const std::vector<Transform> all = [] {
    std::vector<Transform> some(7);
    some[0] = {.lengths = {1024}, .batch = 3};
    some[1] = {.lengths = {1009}};
    some[2] = {.precision = Precision::f64, .lengths = {24, 50}};
    some[3] = {.kind = Kind::real, .lengths = {360}, .batch = 2};
    some[4] = {.kind = Kind::dct2, .lengths = {64}};
    some[5] = {.lengths = {65536}};
    some[6] = {.lengths = {4096}, .placement = Placement::in_place};
    return some;
  }();
  return all;
}

struct Spectra {
  Bytes opencl, cuda;
};

/// Computes a spectrum by OpenCL.
Bytes spectrum_by_opencl(const Transform& transform, const Options& options, const Bytes& signal) {
  const test::Device& device = test::default_device();
  const Plan plan(device.context, device.device, transform, options);
  const auto in = device.upload(signal);
  if (transform.placement == Placement::in_place) {
    plan.forward(device.queue, in);
    return device.download<char>(in, signal.size());
  }
  const auto out = device.allocate(plan.spectrum_bytes());
  plan.forward(device.queue, in, out);
  return device.download<char>(out, plan.spectrum_bytes());
}

Bytes spectrum_by_cuda(const CudaPlan& plan, const Bytes& signal, CudaStream stream) {
  const Memory in(signal);
  if (plan.plan().transform().placement == Placement::in_place) {
    plan.forward(stream, in.address());
    return in.bytes();
  }
  const Memory out(plan.plan().spectrum_bytes());
  plan.forward(stream, in.address(), out.address());
  return out.bytes();
}

TEST_CASE("plans on CUDA's memory have the bits of OpenCL", "[cuda]") {
  cuda_stub::make_context();
  CUstream_st* const stream = cuda_stub::make_stream();
  for (const FirstCall first : {FirstCall::compile, FirstCall::generic}) {
    for (const Transform& transform : transforms()) {
      Options with = options();
      with.first_call = first;
      const CudaPlan plan(transform, with);
      CAPTURE(plan.plan().describe());
      const Bytes signal =
          random_bytes(plan.plan().signal_bytes(), transform.precision == Precision::f64, 7);
      const Bytes expected = spectrum_by_opencl(transform, with, signal);
      const auto before = cuda_stub::counts();
      CHECK((spectrum_by_cuda(plan, signal, stream) == expected));
      CHECK(cuda_stub::counts().launches > before.launches);
      CHECK(cuda_stub::counts().opencl_launches == before.opencl_launches);
      CHECK((spectrum_by_cuda(plan, signal, nullptr) == expected));
    }
  }
  cuda_stub::destroy_stream(stream);
}

TEST_CASE("composed plans work on CUDA's memory", "[cuda]") {
  const test::Device& device = test::default_device();
  cuda_stub::make_context();
  const CudaScope scope;
  const ZoomTransform zoom{.lengths = {500}, .points = 64, .from = 990, .to = 1010, .rate = 48000};
  const Bytes signal = random_bytes(500 * sizeof(Complex), false, 3);
  const ZoomPlan by_opencl(device.context, device.device, zoom, options());
  const auto in = device.upload(signal), out = device.allocate(64 * sizeof(Complex));
  by_opencl.forward(device.queue, in, out);
  const ZoomPlan by_cuda(scope.context(), scope.device(), zoom, options());
  const Memory from(signal), to(64 * sizeof(Complex));
  by_cuda.forward(scope.queue(nullptr), scope.buffer(from.address(), from.size()),
                  scope.buffer(to.address(), to.size()));
  CHECK((to.bytes() == device.download<char>(out, to.size())));
}

TEST_CASE("rows of different lengths work on CUDA's memory", "[cuda]") {
  const test::Device& device = test::default_device();
  cuda_stub::make_context();
  const CudaScope scope;
  const RaggedTransform rows{.kind = Kind::real, .lengths = {20, 24, 131, 37}, .batch = 9};
  const RaggedPlan by_opencl(device.context, device.device, rows, options());
  const Bytes signal = random_bytes(by_opencl.signal_bytes(), false, 6);
  const auto in = device.upload(signal), out = device.allocate(by_opencl.spectrum_bytes());
  by_opencl.forward(device.queue, in, out);
  const RaggedPlan by_cuda(scope.context(), scope.device(), rows, options());
  const Memory from(signal), to(by_cuda.spectrum_bytes());
  const auto before = cuda_stub::counts();
  by_cuda.forward(scope.queue(nullptr), scope.buffer(from.address(), from.size()),
                  scope.buffer(to.address(), to.size()));
  CHECK(cuda_stub::counts().launches == before.launches + 1);
  CHECK((to.bytes() == device.download<char>(out, to.size())));
}

TEST_CASE("nonuniform transforms work on CUDA's memory", "[cuda]") {
  const test::Device& device = test::default_device();
  cuda_stub::make_context();
  const CudaScope scope;
  const std::size_t points = 300, modes = 20 * 30;
  const NufftTransform nufft{.modes = {20, 30}, .tolerance = 1e-4, .points = points};
  const Bytes coordinates = random_bytes(2 * points * sizeof(float), false, 4);
  const Bytes strengths = random_bytes(points * sizeof(Complex), false, 5);
  const auto compute = [&](const cl::Context& context, const cl::Device& of,
                           const cl::CommandQueue& queue, const cl::Buffer& x, const cl::Buffer& y,
                           const cl::Buffer& from, const cl::Buffer& to) {
    NufftPlan plan(context, of, nufft, options());
    plan.set_points(queue, {.coordinates = {x, y}, .count = points});
    plan.type1(queue, from, to);
    CHECK(clFinish(queue()) == CL_SUCCESS);
  };
  const std::size_t half = coordinates.size() / 2;
  const Bytes first(coordinates.begin(), coordinates.begin() + half),
      second(coordinates.begin() + half, coordinates.end());
  const auto out = device.allocate(modes * sizeof(Complex));
  compute(device.context, device.device, device.queue, device.upload(first), device.upload(second),
          device.upload(strengths), out);
  const Memory x(first), y(second), from(strengths), to(modes * sizeof(Complex));
  compute(scope.context(), scope.device(), scope.queue(nullptr),
          scope.buffer(x.address(), x.size()), scope.buffer(y.address(), y.size()),
          scope.buffer(from.address(), from.size()), scope.buffer(to.address(), to.size()));
  CHECK((to.bytes() == device.download<char>(out, to.size())));
}

TEST_CASE("a CUDA graph repeats a call on other numbers", "[cuda]") {
  cuda_stub::make_context();
  CUstream_st* const stream = cuda_stub::make_stream();
  for (const Transform& transform : transforms()) {
    if (transform.placement == Placement::in_place) continue;
    const CudaPlan plan(transform, options());
    CAPTURE(plan.plan().describe());
    const bool f64 = transform.precision == Precision::f64;
    const Memory in(plan.plan().signal_bytes()), out(plan.plan().spectrum_bytes());
    // The call before uses the workspace, too: a graph cannot wait for it.
    plan.forward(stream, in.address(), out.address());
    cuda_stub::begin_capture(stream);
    plan.forward(stream, in.address(), out.address());
    CUgraph_st* const graph = cuda_stub::end_capture(stream);
    for (const std::uint64_t seed : {1, 2}) {
      const Bytes signal = random_bytes(in.size(), f64, seed);
      std::memcpy(in.data(), signal.data(), signal.size());
      cuda_stub::launch_graph(graph);
      CHECK((out.bytes() == spectrum_by_opencl(transform, options(), signal)));
    }
  }
  cuda_stub::destroy_stream(stream);
}

TEST_CASE("threads share a CUDA plan, each in its own stream", "[cuda]") {
  CUctx_st* const context = cuda_stub::make_context();
  const Transform transform{.lengths = {1024}, .batch = 2};
  const CudaPlan plan(transform, options());
  const Bytes signal = random_bytes(plan.plan().signal_bytes(), false, 9);
  const Bytes expected = spectrum_by_opencl(transform, options(), signal);
  std::vector<int> equal(4);
  std::vector<std::thread> threads;
  for (int& is_equal : equal) {
    threads.emplace_back([&] {
      cuda_stub::set_current(context);
      CUstream_st* const stream = cuda_stub::make_stream();
      is_equal = 1;
      for (int i = 0; i < 20; ++i) is_equal &= spectrum_by_cuda(plan, signal, stream) == expected;
      cuda_stub::destroy_stream(stream);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK((equal == std::vector<int>(4, 1)));
}

TEST_CASE("a plan belongs to its CUDA context, whichever is current", "[cuda]") {
  const Transform transform{.lengths = {1024}};
  CUctx_st* const first = cuda_stub::make_context();
  const CudaPlan one(transform, options());
  CUctx_st* const second = cuda_stub::make_context();
  const CudaPlan two(transform, options());
  CHECK(one.scope().context()() != two.scope().context()());
  CHECK(one.scope().device()() == two.scope().device()());
  const Bytes signal = random_bytes(one.plan().signal_bytes(), false, 9);
  const Bytes expected = spectrum_by_opencl(transform, options(), signal);
  for (CUctx_st* const current : {first, second, static_cast<CUctx_st*>(nullptr)}) {
    cuda_stub::set_current(current);
    for (const CudaPlan* plan : {&one, &two})
      CHECK((spectrum_by_cuda(*plan, signal, nullptr) == expected));
  }
}

TEST_CASE("each GPU has plans of its own", "[cuda]") {
  REQUIRE(two_devices);
  const Transform transform{.lengths = {1024}};
  CUctx_st* const contexts[] = {cuda_stub::make_context(0), cuda_stub::make_context(1)};
  cuda_stub::set_current(contexts[0]);
  const CudaPlan one(transform, options());
  cuda_stub::set_current(contexts[1]);
  CUstream_st* const stream = cuda_stub::make_stream();
  const CudaPlan two(transform, options());
  CHECK(one.scope().device()() != two.scope().device()());
  CHECK(CudaScope::of_gpu(1).device()() == two.scope().device()());
  CHECK(CudaScope::of_gpu(0).device()() == one.scope().device()());
  CHECK(CudaScope::of_gpu(0).context()() != CudaScope::of_gpu(1).context()());
  const Bytes signal = random_bytes(one.plan().signal_bytes(), false, 9);
  const Bytes expected = spectrum_by_opencl(transform, options(), signal);
  for (CUctx_st* const current : {contexts[0], contexts[1], static_cast<CUctx_st*>(nullptr)}) {
    cuda_stub::set_current(current);
    CHECK((spectrum_by_cuda(one, signal, nullptr) == expected));
    CHECK((spectrum_by_cuda(two, signal, stream) == expected));
    CHECK(cuda_stub::current_context() == current);
  }
  cuda_stub::destroy_stream(stream);
}

TEST_CASE("what is of another GPU is named", "[cuda]") {
  const Transform transform{.lengths = {1024}};
  CUctx_st* const first = cuda_stub::make_context(0);
  const CudaPlan plan(transform, options());
  cuda_stub::make_context(1);
  const CudaScope other;
  CUstream_st* const stream = cuda_stub::make_stream();
  const Memory in(8192), out(8192);
  CHECK_THROWS_WITH(plan.forward(stream, in.address(), out.address()),
                    ContainsSubstring("stream is of another GPU"));
  CHECK_THROWS_WITH(plan.scope().queue(stream), ContainsSubstring("stream is of another GPU"));
  const cl::Buffer far = other.buffer(in.address(), 8192),
                   near = plan.scope().buffer(out.address(), 8192);
  CHECK_THROWS_WITH(plan.plan().forward(plan.scope().queue(nullptr), far, near),
                    ContainsSubstring("another context"));
  CHECK_THROWS_WITH(plan.plan().forward(other.queue(nullptr), near, near),
                    ContainsSubstring("another context"));
  CHECK_THROWS_WITH(Plan(plan.scope().context(), other.device(), transform, options()),
                    ContainsSubstring("device"));
  cuda_stub::set_current(first);
  cuda_stub::destroy_stream(stream);
}

TEST_CASE("mistakes with CUDA's memory are named", "[cuda]") {
  cuda_stub::make_context();
  const CudaPlan plan({.lengths = {256}}, options());
  const Memory memory(8192);
  const CudaPointer at = memory.address();
  CHECK_THROWS_WITH(plan.forward(nullptr, 0, at), ContainsSubstring("signal is null"));
  CHECK_THROWS_WITH(plan.forward(nullptr, at, 0), ContainsSubstring("spectrum is null"));
  CHECK_THROWS_WITH(plan.forward(nullptr, at, at + 1024), ContainsSubstring("spectrum"));
  CHECK_THROWS_WITH(plan.forward(nullptr, at), ContainsSubstring("out of place"));
  CHECK_THROWS_WITH(plan.scope().buffer(0, 16), ContainsSubstring("memory is 0"));
  CHECK_THROWS_AS(plan.forward(nullptr, at + 1, at + 4096), DeviceError);
  const test::Device& device = test::default_device();
  CHECK_THROWS_AS(plan.plan().forward(device.queue, device.allocate(2048), device.allocate(2048)),
                  InvalidArgument);
  cuda_stub::set_current(nullptr);
  CHECK_NOTHROW(CudaPlan({.lengths = {256}}, options()));  // in the primary context of GPU 0
  CHECK(CudaScope().context()() == CudaScope::of_gpu(0).context()());
  CHECK_THROWS_AS(CudaScope::of_gpu(2), DeviceError);
}

TEST_CASE("a device says if CUDA's driver launches its kernels", "[cuda]") {
  cuda_stub::make_context();
  const CudaScope scope;
  CHECK(runtime::reported_facts(scope.device()()).by_cuda);
  CHECK_FALSE(runtime::reported_facts(test::default_device().device()).by_cuda);
}

TEST_CASE("OpenCL's functions that imago does not call refuse its CUDA handles", "[cuda]") {
  cuda_stub::make_context();
  const CudaScope scope;
  const cl::Context context = scope.context();
  const cl::CommandQueue queue = scope.queue(nullptr);
  const Memory memory(4096);
  const cl::Buffer buffer = scope.buffer(memory.address(), memory.size());
  cl_int code = CL_SUCCESS;
  CHECK(clEnqueueMapBuffer(queue(), buffer(), CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr,
                           &code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  code = CL_SUCCESS;
  CHECK(clCreateSamplerWithProperties(context(), nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  CHECK(clCreateSamplerWithProperties(context(), nullptr, nullptr) == nullptr);
  CHECK(clEnqueueMigrateMemObjects(queue(), 1, &buffer(), 0, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  CHECK(clSVMAlloc(context(), CL_MEM_READ_WRITE, 64, 0) == nullptr);
  clSVMFree(context(), nullptr);
}

TEST_CASE("no exception leaves OpenCL's functions of a CUDA context", "[cuda]") {
  cuda_stub::make_context();
  const cl::Context context = CudaScope().context();
  const char* text = "";
  for (const std::size_t bytes : {std::size_t{1} << 62, SIZE_MAX}) {  // bad_alloc, length_error
    CAPTURE(bytes);
    cl_int code = CL_SUCCESS;
    cl_program program = nullptr;
    CHECK_NOTHROW(program = clCreateProgramWithSource(context(), 1, &text, &bytes, &code));
    CHECK(program == nullptr);
    CHECK(code == (bytes == SIZE_MAX ? CL_OUT_OF_RESOURCES : CL_OUT_OF_HOST_MEMORY));
  }
}

TEST_CASE("each failure of CUDA is an exception, and leaves nothing behind", "[cuda]") {
  CUctx_st* const context = cuda_stub::make_context();
  const auto run = [] {
    const CudaPlan plan({.lengths = {1000, 12}}, options());
    const Bytes signal = random_bytes(plan.plan().signal_bytes(), false, 9);
    const Memory in(signal), out(plan.plan().spectrum_bytes());
    plan.forward(nullptr, in.address(), out.address());
    return out.bytes();
  };
  const Bytes expected = run();
  const auto before = cuda_stub::counts();
  run();
  const std::size_t calls = cuda_stub::counts().calls - before.calls;
  REQUIRE(calls > 50);
  std::size_t failures = 0;
  for (std::size_t i = 0; i < calls; ++i) {
    CAPTURE(i);
    cuda_stub::fail_after(static_cast<long>(i));
    try {
      const Bytes computed = run();
      CHECK((computed == expected));
    } catch (const DeviceError& error) {
      ++failures;
      CHECK(std::string(error.what()).find("failed") != std::string::npos);
    }
    CHECK(cuda_stub::current_context() == context);
    CHECK(cuda_stub::capture_mode_of_thread() == 0);
  }
  cuda_stub::fail_after(-1);
  CHECK(failures > 15);
  run();  // releases the rest
  const auto after = cuda_stub::counts();
  CHECK(after.allocations == before.allocations);
  CHECK(after.modules == before.modules);
  CHECK(after.events <= before.events + 1);
  CHECK(after.faults == before.faults);
}

TEST_CASE("a plan may be destroyed while its call runs", "[cuda]") {
  cuda_stub::make_context();
  CUstream_st* const stream = cuda_stub::make_stream();
  const auto before = cuda_stub::counts();
  for (const Transform& transform : transforms()) {
    if (transform.placement == Placement::in_place) continue;
    auto plan = std::make_unique<CudaPlan>(transform, options());
    const Bytes signal =
        random_bytes(plan->plan().signal_bytes(), transform.precision == Precision::f64, 7);
    const Memory in(signal), out(plan->plan().spectrum_bytes());
    cuda_stub::hold(stream);
    plan->forward(stream, in.address(), out.address());
    plan.reset();
    const CudaPlan other({.lengths = {16}}, options());  // takes no memory of the first
    cuda_stub::let_go(stream);
    CHECK((out.bytes() == spectrum_by_opencl(transform, options(), signal)));
    // The next call in the stream shows that the one before has ended.
    spectrum_by_cuda(other, random_bytes(16 * sizeof(Complex), false, 1), stream);
  }
  CHECK(cuda_stub::counts().faults == before.faults);
  spectrum_by_cuda(CudaPlan({.lengths = {16}}, options()),
                   random_bytes(16 * sizeof(Complex), false, 1), nullptr);
  CHECK(cuda_stub::counts().allocations <= before.allocations + 4);  // the last plan may wait
  cuda_stub::destroy_stream(stream);
}

TEST_CASE("a large workspace may be destroyed while a call runs", "[cuda]") {
  cuda_stub::make_context();
  CUstream_st* const stream = cuda_stub::make_stream();
  const Transform transform{.lengths = {4096}, .placement = Placement::in_place};
  Options with = options();
  with.parameters.algorithm = Algorithm::hierarchy;
  const CudaPlan plan(transform, with);
  REQUIRE(plan.plan().workspace_bytes() > 0);
  const auto before = cuda_stub::counts();
  auto workspace = std::make_unique<Workspace>(plan.scope().context(), plan.scope().device(),
                                               std::size_t{80} << 20);
  const Bytes signal = random_bytes(plan.plan().signal_bytes(), false, 7);
  const Memory data(signal);
  cuda_stub::hold(stream);
  plan.forward(stream, data.address(), {.workspace = workspace.get()});
  workspace.reset();
  CHECK(cuda_stub::counts().allocations <= before.allocations + 2);  // large memory is not kept
  cuda_stub::let_go(stream);
  CHECK((data.bytes() == spectrum_by_opencl(transform, with, signal)));
  CHECK(cuda_stub::counts().faults == before.faults);
  cuda_stub::destroy_stream(stream);
}

TEST_CASE("a CUDA graph keeps what it needs of its plan", "[cuda]") {
  cuda_stub::make_context();
  CUstream_st* const stream = cuda_stub::make_stream();
  const auto before = cuda_stub::counts();
  for (const FirstCall first : {FirstCall::compile, FirstCall::generic}) {
    for (const Transform& transform : transforms()) {
      if (transform.placement == Placement::in_place) continue;
      Options with = options();
      with.first_call = first;
      auto plan = std::make_unique<CudaPlan>(transform, with);
      const Bytes signal =
          random_bytes(plan->plan().signal_bytes(), transform.precision == Precision::f64, 7);
      const Memory in(signal), out(plan->plan().spectrum_bytes());
      cuda_stub::begin_capture(stream);
      plan->forward(stream, in.address(), out.address());
      CUgraph_st* const graph = cuda_stub::end_capture(stream);
      plan.reset();
      const auto kept = cuda_stub::counts();
      CHECK(kept.allocations > before.allocations + 2);
      cuda_stub::launch_graph(graph);
      CHECK((out.bytes() == spectrum_by_opencl(transform, with, signal)));
      cuda_stub::destroy_graph(graph);
    }
  }
  spectrum_by_cuda(CudaPlan({.lengths = {16}}, options()),
                   random_bytes(16 * sizeof(Complex), false, 1), nullptr);
  const auto after = cuda_stub::counts();
  CHECK(after.faults == before.faults);
  CHECK(after.allocations == before.allocations);
  CHECK(after.modules <= before.modules + 2);  // generic ones of other precisions are kept
  cuda_stub::destroy_stream(stream);
}

TEST_CASE("many plans leave no memory, modules or events behind", "[cuda]") {
  cuda_stub::make_context();
  CUstream_st* const stream = cuda_stub::make_stream();
  const auto use = [&](std::size_t i) {
    const std::size_t length = 16 + i % 8;
    Options with = options();
    with.first_call = FirstCall::generic;
    const CudaPlan plan({.lengths = {length}, .batch = 1 + i % 3}, with);
    const Bytes signal = random_bytes(plan.plan().signal_bytes(), false, i);
    spectrum_by_cuda(plan, signal, i % 2 == 0 ? stream : nullptr);
  };
  for (std::size_t i = 0; i < 24; ++i) use(i);
  const auto before = cuda_stub::counts();
  use(24);
  CHECK(cuda_stub::counts().calls < before.calls + 110);
  for (std::size_t i = 0; i < 240; ++i) use(i);
  const auto after = cuda_stub::counts();
  CHECK(after.allocations <= before.allocations + 4);
  CHECK(after.modules <= before.modules + 1);
  CHECK(after.events <= before.events + 2);
  CHECK(after.streams == before.streams);
  cuda_stub::destroy_stream(stream);
}

TEST_CASE("streams that come and go leave nothing behind", "[cuda]") {
  cuda_stub::make_context();
  Options with = options();
  with.first_call = FirstCall::generic;
  const auto use = [&](std::size_t i) {
    CUstream_st* const stream = cuda_stub::make_stream();
    const CudaPlan plan({.lengths = {16 + i % 8}}, with);
    spectrum_by_cuda(plan, random_bytes(plan.plan().signal_bytes(), false, i), stream);
    cuda_stub::destroy_stream(stream);
  };
  const auto before = cuda_stub::counts();
  for (std::size_t i = 0; i < 600; ++i) use(i);
  CHECK(cuda_stub::counts().allocations < before.allocations + 600);
  CHECK(cuda_stub::counts().faults == before.faults);
}

TEST_CASE("a thread without a CUDA context calls plans, also in the default stream", "[cuda]") {
  cuda_stub::make_context();
  const Transform transform{.lengths = {256}};
  const CudaPlan plan(transform, options());
  const Bytes signal = random_bytes(plan.plan().signal_bytes(), false, 9);
  Bytes spectrum;
  std::thread([&] { spectrum = spectrum_by_cuda(plan, signal, nullptr); }).join();
  CHECK((spectrum == spectrum_by_opencl(transform, options(), signal)));
}

TEST_CASE("nothing works in a CUDA context that was destroyed", "[cuda]") {
  CUctx_st* const gone = cuda_stub::make_context();
  const CudaPlan plan({.lengths = {256}}, options());
  const cl::CommandQueue kept = plan.scope().queue(nullptr);
  cuda_stub::make_context();  // current, and none of the plan's
  const Memory memory(8192);
  const cl::Buffer in = plan.scope().buffer(memory.address(), 2048),
                   out = plan.scope().buffer(memory.address() + 4096, 2048);
  cuda_stub::destroy_context(gone);
  const auto before = cuda_stub::counts();
  CHECK_THROWS_AS(plan.forward(nullptr, memory.address(), memory.address() + 4096), DeviceError);
  CHECK_THROWS_AS(
      Plan(plan.scope().context(), plan.scope().device(), {.lengths = {128}}, options()),
      DeviceError);
  CHECK_THROWS_AS(plan.plan().forward(kept, in, out), DeviceError);
  CHECK(cuda_stub::counts().launches == before.launches);
  CHECK(cuda_stub::counts().allocations == before.allocations);
}

TEST_CASE("plans outlive streams and contexts", "[cuda]") {
  CUctx_st* const context = cuda_stub::make_context();
  const auto before = cuda_stub::counts();
  {
    const CudaPlan plan({.lengths = {65536}}, options());
    const Memory in(plan.plan().signal_bytes()), out(plan.plan().spectrum_bytes());
    CUstream_st* stream = cuda_stub::make_stream();
    plan.forward(stream, in.address(), out.address());
    cuda_stub::destroy_stream(stream);
    stream = cuda_stub::make_stream();  // perhaps at the same address
    CHECK_NOTHROW(plan.forward(stream, in.address(), out.address()));
    cuda_stub::destroy_stream(stream);
    cuda_stub::destroy_context(context);
    CHECK_THROWS_AS(CudaPlan({.lengths = {128}}, options()), DeviceError);
  }
  // The memory of a context ends with it: the library must not release it again.
  CHECK(cuda_stub::counts().modules >= before.modules);
}

}  // namespace
}  // namespace imago
