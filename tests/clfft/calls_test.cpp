// This file tests a plan's lifetime and its calls: baking, events, temporary buffers, threads,
// devices, environment variables.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cases.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

namespace imago::test::clfft {
namespace {

constexpr std::size_t kLength = 64;

std::vector<float> impulse(std::size_t at, std::size_t length = kLength) {
  std::vector<float> x(2 * length);
  x[2 * at] = 1;
  return x;
}

/// Returns true for the spectrum of the impulse.
bool is_wave(const std::vector<float>& x, std::size_t at, std::size_t length = kLength) {
  for (std::size_t k = 0; k < length; ++k) {
    const auto wanted =
        std::polar(1.0, -2 * 3.14159265358979 * static_cast<double>(k * at % length) /
                            static_cast<double>(length));
    if (std::abs(std::complex<double>(x[2 * k], x[2 * k + 1]) - wanted) > 1e-4) return false;
  }
  return true;
}

using test::Variable;

}  // namespace

TEST_CASE("getters return clFFT's defaults and the values that were set", "[clfft]") {
  Bench bench;
  ClientPlan plan(bench, {4, 6, 10});
  const clfftPlanHandle h = plan.handle;
  size_t values[3], in = 0, out = 0, batch = 0;
  clfftDim dim{};
  cl_uint count = 0;
  cl_float scale = 0;
  cl_context context = nullptr;
  clfftLayout from{}, to{};
  clfftResultLocation location{};
  clfftResultTransposed transposed{};
  clfftPrecision precision{};
  REQUIRE(clfftGetPlanDim(h, &dim, &count) == CLFFT_SUCCESS);
  CHECK((dim == CLFFT_3D && count == 3));
  REQUIRE(clfftGetPlanLength(h, CLFFT_3D, values) == CLFFT_SUCCESS);
  CHECK((values[0] == 4 && values[1] == 6 && values[2] == 10));
  for (const auto get : {clfftGetPlanInStride, clfftGetPlanOutStride}) {
    REQUIRE(get(h, CLFFT_3D, values) == CLFFT_SUCCESS);
    CHECK((values[0] == 1 && values[1] == 4 && values[2] == 24));
  }
  REQUIRE(clfftGetPlanDistance(h, &in, &out) == CLFFT_SUCCESS);
  CHECK((in == 240 && out == 240));
  REQUIRE(clfftGetPlanBatchSize(h, &batch) == CLFFT_SUCCESS);
  CHECK(batch == 1);
  REQUIRE(clfftGetPlanScale(h, CLFFT_FORWARD, &scale) == CLFFT_SUCCESS);
  CHECK(scale == 1);
  REQUIRE(clfftGetPlanScale(h, CLFFT_BACKWARD, &scale) == CLFFT_SUCCESS);
  CHECK(scale == Approx(1.0 / 240));
  REQUIRE(clfftGetPlanContext(h, &context) == CLFFT_SUCCESS);
  CHECK(context == bench.context);
  REQUIRE(clfftGetLayout(h, &from, &to) == CLFFT_SUCCESS);
  CHECK((from == CLFFT_COMPLEX_INTERLEAVED && to == CLFFT_COMPLEX_INTERLEAVED));
  REQUIRE(clfftGetResultLocation(h, &location) == CLFFT_SUCCESS);
  CHECK(location == CLFFT_INPLACE);
  REQUIRE(clfftGetPlanTransposeResult(h, &transposed) == CLFFT_SUCCESS);
  CHECK(transposed == CLFFT_NOTRANSPOSE);
  REQUIRE(clfftGetPlanPrecision(h, &precision) == CLFFT_SUCCESS);
  CHECK(precision == CLFFT_SINGLE);
}

TEST_CASE("a copy is a plan of its own", "[clfft]") {
  Bench bench;
  ClientPlan plan(bench, {kLength}), copy(bench, {8});
  REQUIRE(clfftSetPlanBatchSize(plan.handle, 2) == CLFFT_SUCCESS);
  REQUIRE(clfftDestroyPlan(&copy.handle) == CLFFT_SUCCESS);
  REQUIRE(clfftCopyPlan(&copy.handle, bench.context, plan.handle) == CLFFT_SUCCESS);
  REQUIRE(clfftSetPlanBatchSize(plan.handle, 5) == CLFFT_SUCCESS);
  std::size_t batch = 0, length = 0;
  REQUIRE(clfftGetPlanBatchSize(copy.handle, &batch) == CLFFT_SUCCESS);
  REQUIRE(clfftGetPlanLength(copy.handle, CLFFT_1D, &length) == CLFFT_SUCCESS);
  CHECK((batch == 2 && length == kLength));
  REQUIRE(clfftDestroyPlan(&plan.handle) == CLFFT_SUCCESS);
  auto x = impulse(3);
  x.insert(x.end(), x.begin(), x.end());
  const cl_mem data = bench.upload(x);
  REQUIRE(copy.run(bench.queue, CLFFT_FORWARD, data) == CLFFT_SUCCESS);
  CHECK(is_wave(bench.download<float>(data, 2 * kLength), 3));
}

TEST_CASE("baking is optional, and undone by what is set", "[clfft]") {
  Bench bench;
  ClientPlan plan(bench, {kLength});
  std::size_t bytes = 0;
  CHECK(clfftGetTmpBufSize(plan.handle, &bytes) == CLFFT_INVALID_OPERATION);
  const cl_mem data = bench.upload(impulse(5));
  REQUIRE(plan.run(bench.queue, CLFFT_FORWARD, data) == CLFFT_SUCCESS);
  CHECK(is_wave(bench.download<float>(data, 2 * kLength), 5));
  CHECK(clfftGetTmpBufSize(plan.handle, &bytes) == CLFFT_SUCCESS);
  REQUIRE(plan.run(bench.queue, CLFFT_BACKWARD, data) == CLFFT_SUCCESS);
  CHECK(bench.download<float>(data, 2 * kLength)[10] == Approx(1));
  REQUIRE(clfftSetPlanScale(plan.handle, CLFFT_FORWARD, 3) == CLFFT_SUCCESS);
  CHECK(clfftGetTmpBufSize(plan.handle, &bytes) == CLFFT_INVALID_OPERATION);
  REQUIRE(plan.run(bench.queue, CLFFT_FORWARD, data) == CLFFT_SUCCESS);
  CHECK(bench.download<float>(data, 1)[0] == Approx(3));
}

TEST_CASE("events chain calls in a queue without order", "[clfft]") {
  for (const std::size_t stride : {1u, 2u}) {  // 2: through scratch
    Bench bench(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    ClientPlan plan(bench, {kLength});
    if (stride == 2) {
      std::size_t strides[] = {2};
      REQUIRE(clfftSetLayout(plan.handle, CLFFT_REAL, CLFFT_HERMITIAN_INTERLEAVED) ==
              CLFFT_SUCCESS);
      REQUIRE(clfftSetPlanInStride(plan.handle, CLFFT_1D, strides) == CLFFT_SUCCESS);
    }
    cl_mem data = bench.upload(impulse(4));
    cl_int code = 0;
    const cl_event gate = clCreateUserEvent(bench.context, &code);
    must(code, "clCreateUserEvent");
    cl_event done = nullptr;
    REQUIRE(clfftEnqueueTransform(plan.handle, CLFFT_FORWARD, 1, &bench.queue, 1, &gate, &done,
                                  &data, nullptr, nullptr) == CLFFT_SUCCESS);
    REQUIRE(done);
    clFlush(bench.queue);
    cl_int status = CL_COMPLETE;
    must(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
         "clGetEventInfo");
    CHECK(status > CL_COMPLETE);  // it waits
    clSetUserEventStatus(gate, CL_COMPLETE);
    must(clWaitForEvents(1, &done), "clWaitForEvents");
    const auto found = bench.download<float>(data, stride == 1 ? 2 * kLength : kLength);
    if (stride == 1) CHECK(is_wave(found, 4));
    if (stride == 2) CHECK(found[2] == Approx(std::cos(2 * 3.14159265358979 * 4 / kLength)));
    clReleaseEvent(gate);
    clReleaseEvent(done);
  }
}

TEST_CASE("the caller's temporary buffer is what is used", "[clfft]") {
  Bench bench;
  ClientPlan plan(bench, {1 << 17});
  REQUIRE(plan.bake(bench.queue) == CLFFT_SUCCESS);
  std::size_t bytes = 0;
  REQUIRE(clfftGetTmpBufSize(plan.handle, &bytes) == CLFFT_SUCCESS);
  REQUIRE(bytes >= 4);
  const std::vector<float> mark(bytes / 4, 7.0f);
  for (int turn = 0; turn < 2; ++turn) {  // the second buffer is another one
    const cl_mem data = bench.upload(impulse(5, 1 << 17)), temporary = bench.upload(mark);
    REQUIRE(plan.run(bench.queue, CLFFT_FORWARD, data, nullptr, temporary) == CLFFT_SUCCESS);
    CHECK(is_wave(bench.download<float>(data, 2 << 17), 5, 1 << 17));
    CHECK(bench.download<float>(temporary, mark.size()) != mark);
  }
}

TEST_CASE("a temporary buffer that is the data is refused", "[clfft]") {
  Bench bench;
  ClientPlan plan(bench, {1 << 17});
  REQUIRE(plan.bake(bench.queue) == CLFFT_SUCCESS);
  std::size_t bytes = 0;
  REQUIRE(clfftGetTmpBufSize(plan.handle, &bytes) == CLFFT_SUCCESS);
  REQUIRE(bytes > 0);
  REQUIRE(bytes <= 8 << 17);
  const auto signal = impulse(5, 1 << 17);
  const cl_mem data = bench.upload(signal);
  CHECK(plan.run(bench.queue, CLFFT_FORWARD, data, nullptr, data) == CLFFT_INVALID_ARG_VALUE);
  CHECK(bench.download<float>(data, 2 << 17) == signal);
}

TEST_CASE("out of place, clients give one buffer for both", "[clfft]") {  // ufo-filters does
  Bench bench;
  ClientPlan plan(bench, {kLength});
  REQUIRE(clfftSetResultLocation(plan.handle, CLFFT_OUTOFPLACE) == CLFFT_SUCCESS);
  const cl_mem data = bench.upload(impulse(9));
  REQUIRE(plan.run(bench.queue, CLFFT_FORWARD, data, data) == CLFFT_SUCCESS);
  CHECK(is_wave(bench.download<float>(data, 2 * kLength), 9));

  // Also overlapping parts of one buffer: the second half of the input is the first of the result.
  const cl_mem whole = bench.upload(impulse(3, 3 * kLength));
  const auto part = [&](std::size_t elements) {
    const cl_buffer_region region{8 * elements, 8 * kLength * 2};
    cl_int code = CL_SUCCESS;
    const cl_mem made =
        clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    must(code, "clCreateSubBuffer");
    return made;
  };
  const cl_mem in = part(0), out = part(kLength / 2);
  REQUIRE(plan.run(bench.queue, CLFFT_FORWARD, in, out) == CLFFT_SUCCESS);
  CHECK(is_wave(bench.download<float>(out, 2 * kLength), 3));
  clReleaseMemObject(in);
  clReleaseMemObject(out);
}

TEST_CASE("many threads, plans of their own and one for all", "[clfft][threads]") {
  Bench bench;
  ClientPlan shared(bench, {kLength});
  constexpr int kThreads = 4, kRounds = 8;
  std::vector<cl_command_queue> queues;
  std::vector<cl_mem> own, common;
  for (int i = 0; i < kThreads; ++i) {
    queues.push_back(bench.make_queue(0));
    own.push_back(bench.upload(impulse(static_cast<std::size_t>(i))));
    common.push_back(bench.upload(impulse(static_cast<std::size_t>(i))));
  }
  std::vector<int> failures(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const std::size_t length = kLength;
      const auto at = static_cast<std::size_t>(i);
      for (int round = 0; round < kRounds; ++round) {
        clfftPlanHandle plan = 0;
        int& failed = failures[at];
        failed += clfftCreateDefaultPlan(&plan, bench.context, CLFFT_1D, &length) != 0;
        for (const clfftDirection direction : {CLFFT_FORWARD, CLFFT_BACKWARD}) {
          failed += clfftEnqueueTransform(plan, direction, 1, &queues[at], 0, nullptr, nullptr,
                                          &own[at], nullptr, nullptr) != 0;
          failed += clfftEnqueueTransform(shared.handle, direction, 1, &queues[at], 0, nullptr,
                                          nullptr, &common[at], nullptr, nullptr) != 0;
          // Another thread sets the same value at the same time.
          failed += clfftSetPlanScale(shared.handle, CLFFT_FORWARD, 1) != 0;
        }
        failed += clfftDestroyPlan(&plan) != 0;
        clFinish(queues[at]);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < kThreads; ++i) {
    CHECK(failures[i] == 0);
    for (const cl_mem data : {own[i], common[i]})
      CHECK(bench.download<float>(data, 2 * kLength)[2 * i] == Approx(1));
  }
}

TEST_CASE("a thread destroys what another one uses", "[clfft][bad][threads]") {
  Bench bench;
  const std::size_t length = kLength;
  for (int round = 0; round < 20; ++round) {
    clfftPlanHandle plan = 0;
    REQUIRE(clfftCreateDefaultPlan(&plan, bench.context, CLFFT_1D, &length) == CLFFT_SUCCESS);
    const clfftPlanHandle handle = plan;
    cl_mem data = bench.upload(impulse(1));
    std::thread user([&] {
      for (int i = 0; i < 10; ++i) {
        const clfftStatus status = clfftEnqueueTransform(handle, CLFFT_FORWARD, 1, &bench.queue, 0,
                                                         nullptr, nullptr, &data, nullptr, nullptr);
        if (status != CLFFT_SUCCESS && status != CLFFT_INVALID_PLAN) std::abort();
      }
    });
    CHECK(clfftDestroyPlan(&plan) == CLFFT_SUCCESS);
    user.join();
    clFinish(bench.queue);
  }
}

TEST_CASE("a plan is baked for one device", "[clfft]") {
  Bench bench;
  if (bench.devices.size() < 2) {
    WARN("one device: not tried (POCL_DEVICES has more)");
    return;
  }
  const cl_command_queue other = bench.make_queue(1);
  ClientPlan plan(bench, {kLength});
  const cl_mem data = bench.upload(impulse(2));
  REQUIRE(plan.bake(bench.queue) == CLFFT_SUCCESS);
  CHECK(plan.run(other, CLFFT_FORWARD, data) == CLFFT_DEVICE_MISMATCH);
  REQUIRE(plan.run(bench.queue, CLFFT_FORWARD, data) == CLFFT_SUCCESS);
  CHECK(is_wave(bench.download<float>(data, 2 * kLength), 2));
}

TEST_CASE("strict mode refuses what clFFT refuses", "[clfft]") {
  Bench bench;
  ClientPlan plan(bench, {16});
  const Variable strict("IMAGO_CLFFT_STRICT", "1");
  clfftPlanHandle other = 0;
  for (const std::size_t length : {17u, 34u, 19u * 13u, 97u}) {
    CHECK(clfftCreateDefaultPlan(&other, bench.context, CLFFT_1D, &length) == CLFFT_NOTIMPLEMENTED);
    CHECK(clfftSetPlanLength(plan.handle, CLFFT_1D, &length) == CLFFT_NOTIMPLEMENTED);
  }
  const std::size_t good = 2 * 3 * 5 * 7 * 11 * 13, too_long = std::size_t{1} << 25;
  CHECK(clfftSetPlanLength(plan.handle, CLFFT_1D, &good) == CLFFT_SUCCESS);
  REQUIRE(clfftSetLayout(plan.handle, CLFFT_REAL, CLFFT_HERMITIAN_INTERLEAVED) == CLFFT_SUCCESS);
  REQUIRE(clfftSetPlanLength(plan.handle, CLFFT_1D, &too_long) == CLFFT_SUCCESS);
  CHECK(plan.bake(bench.queue) == CLFFT_NOTIMPLEMENTED);
}

TEST_CASE("clFFT's environment: kernels are dumped, binaries are kept", "[clfft]") {
  Bench bench;
  const Folder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const Variable cache("CLFFT_CACHE_PATH", (folder.path() / "cache").string());
  clfftSetupData data;
  REQUIRE(clfftInitSetupData(&data) == CLFFT_SUCCESS);
  CHECK(data.major == 2);
  data.debugFlags = CLFFT_DUMP_PROGRAMS;
  REQUIRE(clfftSetup(&data) == CLFFT_SUCCESS);
  ClientPlan plan(bench, {7 * 11 * 13});  // a length that no other test has, so it is compiled
  CHECK(plan.bake(bench.queue) == CLFFT_SUCCESS);
  const std::string stem = "clfft.kernel.plan" + std::to_string(plan.handle);
  for (const char* const direction : {".forward.0.cl", ".backward.0.cl"}) {
    std::ifstream file(stem + direction);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    CHECK(text.find("__kernel") != std::string::npos);
  }
  CHECK(!std::filesystem::is_empty(folder.path() / "cache"));
  std::filesystem::current_path(before);
  // The last teardown destroys the plans.
  REQUIRE(clfftSetup(nullptr) == CLFFT_SUCCESS);
  CHECK(clfftTeardown() == CLFFT_SUCCESS);
  std::size_t bytes = 0;
  CHECK(clfftGetTmpBufSize(plan.handle, &bytes) == CLFFT_SUCCESS);
  CHECK(clfftTeardown() == CLFFT_SUCCESS);
  CHECK(clfftGetTmpBufSize(plan.handle, &bytes) == CLFFT_INVALID_PLAN);
  CHECK(clfftTeardown() == CLFFT_SUCCESS);
}

}  // namespace imago::test::clfft
