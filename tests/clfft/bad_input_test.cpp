// This file calls every entry point with invalid arguments: it must return error codes and never
// crash.
#include <functional>
#include <tuple>
#include <utility>

#include "exported.hpp"
#include "support.hpp"

namespace imago::test::clfft {
namespace {

/// Memory for the results of all getters.
struct Places {
  size_t sizes[3] = {7, 7, 7};
  size_t size = 0, other = 0;
  cl_uint number = 0;
  cl_float scale = 0;
  clfftDim dim = CLFFT_1D;
  clfftPrecision precision = CLFFT_SINGLE;
  clfftLayout in = CLFFT_REAL, out = CLFFT_REAL;
  clfftResultLocation location = CLFFT_INPLACE;
  clfftResultTransposed transposed = CLFFT_NOTRANSPOSE;
  cl_context context = nullptr;
};

/// All calls that take a handle, with valid arguments.
std::vector<std::pair<const char*, std::function<clfftStatus(clfftPlanHandle)>>> calls(Bench& bench,
                                                                                       Places& p) {
  cl_command_queue* const queue = &bench.queue;
  const cl_context context = bench.context;
  return {
      {"CopyPlan", [&p, context](auto plan) { return clfftCopyPlan(&p.size, context, plan); }},
      {"BakePlan", [queue](auto plan) { return clfftBakePlan(plan, 1, queue, nullptr, nullptr); }},
      {"DestroyPlan", [](auto plan) { return clfftDestroyPlan(&plan); }},
      {"GetPlanContext", [&](auto plan) { return clfftGetPlanContext(plan, &p.context); }},
      {"GetPlanPrecision", [&](auto plan) { return clfftGetPlanPrecision(plan, &p.precision); }},
      {"SetPlanPrecision", [](auto plan) { return clfftSetPlanPrecision(plan, CLFFT_SINGLE); }},
      {"GetPlanScale", [&](auto plan) { return clfftGetPlanScale(plan, CLFFT_FORWARD, &p.scale); }},
      {"SetPlanScale", [](auto plan) { return clfftSetPlanScale(plan, CLFFT_FORWARD, 1); }},
      {"GetPlanBatchSize", [&](auto plan) { return clfftGetPlanBatchSize(plan, &p.size); }},
      {"SetPlanBatchSize", [](auto plan) { return clfftSetPlanBatchSize(plan, 1); }},
      {"GetPlanDim", [&](auto plan) { return clfftGetPlanDim(plan, &p.dim, &p.number); }},
      {"SetPlanDim", [](auto plan) { return clfftSetPlanDim(plan, CLFFT_1D); }},
      {"GetPlanLength", [&](auto plan) { return clfftGetPlanLength(plan, CLFFT_1D, p.sizes); }},
      {"SetPlanLength", [&](auto plan) { return clfftSetPlanLength(plan, CLFFT_1D, p.sizes); }},
      {"GetPlanInStride", [&](auto plan) { return clfftGetPlanInStride(plan, CLFFT_1D, p.sizes); }},
      {"SetPlanInStride", [&](auto plan) { return clfftSetPlanInStride(plan, CLFFT_1D, p.sizes); }},
      {"GetPlanOutStride",
       [&](auto plan) { return clfftGetPlanOutStride(plan, CLFFT_1D, p.sizes); }},
      {"SetPlanOutStride",
       [&](auto plan) { return clfftSetPlanOutStride(plan, CLFFT_1D, p.sizes); }},
      {"GetPlanDistance", [&](auto plan) { return clfftGetPlanDistance(plan, &p.size, &p.other); }},
      {"SetPlanDistance", [](auto plan) { return clfftSetPlanDistance(plan, 7, 7); }},
      {"GetLayout", [&](auto plan) { return clfftGetLayout(plan, &p.in, &p.out); }},
      {"SetLayout",
       [](auto plan) { return clfftSetLayout(plan, CLFFT_COMPLEX_PLANAR, CLFFT_COMPLEX_PLANAR); }},
      {"GetResultLocation", [&](auto plan) { return clfftGetResultLocation(plan, &p.location); }},
      {"SetResultLocation",
       [](auto plan) { return clfftSetResultLocation(plan, CLFFT_OUTOFPLACE); }},
      {"GetPlanTransposeResult",
       [&](auto plan) { return clfftGetPlanTransposeResult(plan, &p.transposed); }},
      {"SetPlanTransposeResult",
       [](auto plan) { return clfftSetPlanTransposeResult(plan, CLFFT_NOTRANSPOSE); }},
      {"GetTmpBufSize", [&](auto plan) { return clfftGetTmpBufSize(plan, &p.size); }},
      {"SetPlanCallback",
       [](auto plan) {
         return clfftSetPlanCallback(plan, "f", "text", 0, PRECALLBACK, nullptr, 0);
       }},
      {"EnqueueTransform",
       [queue](auto plan) {
         return clfftEnqueueTransform(plan, CLFFT_FORWARD, 1, queue, 0, nullptr, nullptr, nullptr,
                                      nullptr, nullptr);
       }},
  };
}

}  // namespace

TEST_CASE("handles that were never made, or no longer live", "[clfft][bad]") {
  Bench bench;
  Places places;
  ClientPlan plan(bench, {16});
  clfftPlanHandle gone = plan.handle;
  REQUIRE(clfftDestroyPlan(&plan.handle) == CLFFT_SUCCESS);
  CHECK(plan.handle == 0);
  for (const clfftPlanHandle handle : {gone, clfftPlanHandle{0}, ~clfftPlanHandle{0},
                                       reinterpret_cast<clfftPlanHandle>(&places)}) {
    for (const auto& [name, call] : calls(bench, places)) {
      INFO(name << " of " << handle);
      CHECK(call(handle) == CLFFT_INVALID_PLAN);
    }
  }
  // A handle is never reused.
  for (int i = 0; i < 100; ++i) {
    ClientPlan other(bench, {16});
    CHECK(other.handle != gone);
  }
}

TEST_CASE("functions reject null pointers", "[clfft][bad]") {
  Bench bench;
  ClientPlan plan(bench, {16});
  const clfftPlanHandle h = plan.handle;
  Places p;
  const clfftStatus null = CLFFT_INVALID_HOST_PTR;
  const size_t lengths[] = {16};
  clfftPlanHandle made = 5;
  CHECK(clfftCreateDefaultPlan(nullptr, bench.context, CLFFT_1D, lengths) == null);
  CHECK(clfftCreateDefaultPlan(&made, bench.context, CLFFT_1D, nullptr) == null);
  CHECK(clfftCreateDefaultPlan(&made, nullptr, CLFFT_1D, lengths) == CLFFT_INVALID_CONTEXT);
  CHECK(clfftCopyPlan(nullptr, bench.context, h) == null);
  CHECK(clfftCopyPlan(&made, nullptr, h) == CLFFT_INVALID_CONTEXT);
  CHECK(made == 5);  // unchanged
  CHECK(clfftDestroyPlan(nullptr) == null);
  // The function that the header defines inline checks its argument.
  const auto init =
      reinterpret_cast<clfftStatus (*)(clfftSetupData*)>(exported("clfftInitSetupData"));
  REQUIRE(init);
  clfftSetupData data{9, 9, 9, 9};
  CHECK(init(nullptr) == null);
  CHECK(init(&data) == CLFFT_SUCCESS);
  CHECK((data.major == clfftVersionMajor && data.debugFlags == 0));
  CHECK(clfftSetup(nullptr) == CLFFT_SUCCESS);
  CHECK(clfftTeardown() == CLFFT_SUCCESS);
}

TEST_CASE("getters reject null pointers", "[clfft][bad]") {
  Bench bench;
  ClientPlan plan(bench, {16});
  const clfftPlanHandle h = plan.handle;
  Places p;
  const clfftStatus null = CLFFT_INVALID_HOST_PTR;
  CHECK(clfftGetVersion(nullptr, &p.number, &p.number) == null);
  CHECK(clfftGetVersion(&p.number, nullptr, &p.number) == null);
  CHECK(clfftGetVersion(&p.number, &p.number, nullptr) == null);
  CHECK(clfftGetPlanContext(h, nullptr) == null);
  CHECK(clfftGetPlanPrecision(h, nullptr) == null);
  CHECK(clfftGetPlanScale(h, CLFFT_FORWARD, nullptr) == null);
  CHECK(clfftGetPlanBatchSize(h, nullptr) == null);
  CHECK(clfftGetPlanDim(h, nullptr, &p.number) == null);
  CHECK(clfftGetPlanDim(h, &p.dim, nullptr) == null);
  CHECK(clfftGetPlanLength(h, CLFFT_1D, nullptr) == null);
  CHECK(clfftSetPlanLength(h, CLFFT_1D, nullptr) == null);
  CHECK(clfftGetPlanInStride(h, CLFFT_1D, nullptr) == null);
  CHECK(clfftSetPlanInStride(h, CLFFT_1D, nullptr) == null);
  CHECK(clfftGetPlanOutStride(h, CLFFT_1D, nullptr) == null);
  CHECK(clfftSetPlanOutStride(h, CLFFT_1D, nullptr) == null);
  CHECK(clfftGetPlanDistance(h, nullptr, &p.size) == null);
  CHECK(clfftGetPlanDistance(h, &p.size, nullptr) == null);
  CHECK(clfftGetLayout(h, nullptr, &p.out) == null);
  CHECK(clfftGetLayout(h, &p.in, nullptr) == null);
  CHECK(clfftGetResultLocation(h, nullptr) == null);
  CHECK(clfftGetPlanTransposeResult(h, nullptr) == null);
  CHECK(clfftGetTmpBufSize(h, nullptr) == null);
}

TEST_CASE("bad calls of bake and enqueue", "[clfft][bad]") {
  Bench bench, elsewhere;
  ClientPlan plan(bench, {16});
  cl_command_queue none = nullptr, foreign = elsewhere.queue;
  const auto bake = [&](cl_uint count, cl_command_queue* queue) {
    return clfftBakePlan(plan.handle, count, queue, nullptr, nullptr);
  };
  CHECK(bake(2, &bench.queue) == CLFFT_NOTIMPLEMENTED);
  CHECK(bake(1, nullptr) == CLFFT_INVALID_HOST_PTR);
  CHECK(bake(1, &none) == CLFFT_INVALID_COMMAND_QUEUE);
  CHECK(bake(1, &foreign) == CLFFT_INVALID_CONTEXT);

  cl_mem data = bench.allocate(16 * 8), small = bench.allocate(16 * 8 - 4),
         other = elsewhere.allocate(16 * 8), null = nullptr;
  const auto run = [&](cl_mem* in, cl_mem* out, cl_command_queue* queue, clfftDirection direction) {
    return clfftEnqueueTransform(plan.handle, direction, 1, queue, 0, nullptr, nullptr, in, out,
                                 nullptr);
  };
  const clfftDirection forward = CLFFT_FORWARD;
  CHECK(run(&data, nullptr, nullptr, forward) == CLFFT_INVALID_HOST_PTR);
  CHECK(run(&data, nullptr, &none, forward) == CLFFT_INVALID_COMMAND_QUEUE);
  CHECK(run(&data, nullptr, &foreign, forward) == CLFFT_INVALID_CONTEXT);
  CHECK(run(nullptr, nullptr, &bench.queue, forward) == CLFFT_INVALID_HOST_PTR);
  CHECK(run(&null, nullptr, &bench.queue, forward) == CLFFT_INVALID_MEM_OBJECT);
  CHECK(run(&small, nullptr, &bench.queue, forward) == CLFFT_INVALID_BUFFER_SIZE);
  CHECK(run(&other, nullptr, &bench.queue, forward) == CLFFT_INVALID_CONTEXT);
  CHECK(run(&data, nullptr, &bench.queue, static_cast<clfftDirection>(7)) ==
        CLFFT_INVALID_ARG_VALUE);
  CHECK(run(&data, nullptr, &bench.queue, forward) == CLFFT_SUCCESS);

  REQUIRE(clfftSetResultLocation(plan.handle, CLFFT_OUTOFPLACE) == CLFFT_SUCCESS);
  CHECK(run(&data, nullptr, &bench.queue, forward) == CLFFT_INVALID_HOST_PTR);
  CHECK(run(&data, &null, &bench.queue, forward) == CLFFT_INVALID_MEM_OBJECT);
  CHECK(run(&data, &small, &bench.queue, forward) == CLFFT_INVALID_BUFFER_SIZE);
  CHECK(run(&small, &data, &bench.queue, forward) == CLFFT_INVALID_BUFFER_SIZE);
  CHECK(run(&data, &other, &bench.queue, forward) == CLFFT_INVALID_CONTEXT);
}

TEST_CASE("each array of a planar side is looked at", "[clfft][bad]") {
  Bench bench, elsewhere;
  ClientPlan plan(bench, {16});
  REQUIRE(clfftSetLayout(plan.handle, CLFFT_COMPLEX_PLANAR, CLFFT_COMPLEX_PLANAR) == CLFFT_SUCCESS);
  REQUIRE(clfftSetResultLocation(plan.handle, CLFFT_OUTOFPLACE) == CLFFT_SUCCESS);
  const auto part = [&] { return bench.allocate(16 * 4); };
  const std::pair<cl_mem, clfftStatus> bad[] = {
      {nullptr, CLFFT_INVALID_MEM_OBJECT},
      {bench.allocate(16 * 4 - 4), CLFFT_INVALID_BUFFER_SIZE},
      {elsewhere.allocate(16 * 4), CLFFT_INVALID_CONTEXT}};
  const auto run = [&](cl_mem* in, cl_mem* out) {
    return clfftEnqueueTransform(plan.handle, CLFFT_FORWARD, 1, &bench.queue, 0, nullptr, nullptr,
                                 in, out, nullptr);
  };
  cl_mem in[2] = {part(), part()}, out[2] = {part(), part()};
  for (const auto& [memory, status] : bad) {
    for (cl_mem* place : {&in[0], &in[1], &out[0], &out[1]}) {
      const cl_mem good = std::exchange(*place, memory);
      CHECK(run(in, out) == status);
      *place = good;
    }
  }
  CHECK(run(in, out) == CLFFT_SUCCESS);
}

TEST_CASE("real data in place is as large as the larger side", "[clfft][bad]") {
  Bench bench;
  // 16 real and 9 complex numbers, with these strides.
  const auto baked = [&](ClientPlan& plan, std::size_t reals, std::size_t numbers) {
    REQUIRE(clfftSetLayout(plan.handle, CLFFT_REAL, CLFFT_HERMITIAN_INTERLEAVED) == CLFFT_SUCCESS);
    REQUIRE(clfftSetPlanInStride(plan.handle, CLFFT_1D, &reals) == CLFFT_SUCCESS);
    REQUIRE(clfftSetPlanOutStride(plan.handle, CLFFT_1D, &numbers) == CLFFT_SUCCESS);
    return plan.bake(bench.queue);
  };
  for (const auto& [reals, numbers, bytes] :
       {std::tuple{3u, 2u, 46u * 4}, std::tuple{3u, 4u, 33u * 8}, std::tuple{1u, 1u, 9u * 8}}) {
    CAPTURE(reals, numbers);
    ClientPlan plan(bench, {16});
    REQUIRE(baked(plan, reals, numbers) == CLFFT_SUCCESS);
    CHECK(plan.run(bench.queue, CLFFT_FORWARD, bench.allocate(bytes - 4)) ==
          CLFFT_INVALID_BUFFER_SIZE);
    CHECK(plan.run(bench.queue, CLFFT_FORWARD, bench.allocate(bytes)) == CLFFT_SUCCESS);
    std::size_t scratch = 0;
    REQUIRE(clfftGetTmpBufSize(plan.handle, &scratch) == CLFFT_SUCCESS);
    CHECK((scratch > 0) == (reals > 1));
    if (scratch == 0) continue;
    CHECK(plan.run(bench.queue, CLFFT_FORWARD, bench.allocate(bytes), nullptr,
                   bench.allocate(scratch - 1)) == CLFFT_INVALID_BUFFER_SIZE);
  }
  for (const std::size_t huge : {std::size_t{1} << 59, std::size_t{1} << 63, ~std::size_t{0}}) {
    ClientPlan plan(bench, {16});
    CHECK(baked(plan, huge, 1) == CLFFT_INVALID_PLAN);
    CHECK(baked(plan, 1, huge) == CLFFT_INVALID_PLAN);
  }
}

TEST_CASE("bad wait lists and temporary buffers", "[clfft][bad]") {
  Bench bench, elsewhere;
  ClientPlan plan(bench, {1 << 17});
  cl_mem data = bench.allocate((1 << 17) * 8);
  REQUIRE(plan.bake(bench.queue) == CLFFT_SUCCESS);
  std::size_t bytes = 0;
  REQUIRE(clfftGetTmpBufSize(plan.handle, &bytes) == CLFFT_SUCCESS);
  REQUIRE(bytes > 0);
  CHECK(plan.run(bench.queue, CLFFT_FORWARD, data, nullptr, bench.allocate(bytes - 1)) ==
        CLFFT_INVALID_BUFFER_SIZE);
  CHECK(plan.run(bench.queue, CLFFT_FORWARD, data, nullptr, elsewhere.allocate(bytes)) ==
        CLFFT_INVALID_CONTEXT);
  const cl_event null = nullptr;
  const auto wait = [&](cl_uint count, const cl_event* list) {
    return clfftEnqueueTransform(plan.handle, CLFFT_FORWARD, 1, &bench.queue, count, list, nullptr,
                                 &data, nullptr, nullptr);
  };
  CHECK(wait(1, nullptr) == CLFFT_INVALID_EVENT_WAIT_LIST);
  CHECK(wait(1, &null) == CLFFT_INVALID_EVENT_WAIT_LIST);
  CHECK(wait(0, nullptr) == CLFFT_SUCCESS);
  cl_int code = 0;
  const cl_event foreign = clCreateUserEvent(elsewhere.context, &code);
  must(code, "clCreateUserEvent");
  CHECK(wait(1, &foreign) != CLFFT_SUCCESS);
  clSetUserEventStatus(foreign, CL_COMPLETE);
  clReleaseEvent(foreign);
}

TEST_CASE("plans that cannot be baked", "[clfft][bad]") {
  Bench bench;
  const auto baked = [&](const std::vector<std::size_t>& lengths, auto change) {
    ClientPlan plan(bench, lengths);
    change(plan.handle);
    return plan.bake(bench.queue);
  };
  const std::size_t huge = std::size_t{1} << 63;
  const auto nothing = [](clfftPlanHandle) {};
  CHECK(baked({huge}, nothing) == CLFFT_INVALID_PLAN);
  CHECK(baked({huge, huge, huge}, nothing) == CLFFT_INVALID_PLAN);
  CHECK(baked({16}, [&](auto h) { clfftSetPlanBatchSize(h, huge); }) == CLFFT_INVALID_PLAN);
  CHECK(baked({16}, [&](auto h) {
          std::size_t stride = huge;
          clfftSetPlanInStride(h, CLFFT_1D, &stride);
          clfftSetPlanOutStride(h, CLFFT_1D, &stride);
        }) == CLFFT_INVALID_PLAN);
  CHECK(baked({16}, [&](auto h) {
          clfftSetPlanBatchSize(h, 3);
          clfftSetPlanDistance(h, huge, huge);
        }) == CLFFT_INVALID_PLAN);
  CHECK(baked({16}, [&](auto h) { clfftSetPlanDim(h, CLFFT_2D); }) == CLFFT_INVALID_PLAN);
  CHECK(baked({16}, [&](auto h) {  // lengths of two, strides of one
          const std::size_t lengths[] = {4, 4};
          clfftSetPlanLength(h, CLFFT_2D, lengths);
        }) == CLFFT_INVALID_PLAN);
  CHECK(baked({16}, [&](auto h) {
          clfftSetPlanDistance(h, 4, 4);
          clfftSetPlanBatchSize(h, 2);
        }) == CLFFT_INVALID_PLAN);  // results would overlap
  CHECK(baked({16}, [&](auto h) { clfftSetPlanDistance(h, 16, 20); }) == CLFFT_INVALID_PLAN);
  CHECK(baked({16}, [&](auto h) { clfftSetPlanScale(h, CLFFT_FORWARD, 0); }) == CLFFT_INVALID_PLAN);
  CHECK(baked({16}, [&](auto h) {
          clfftSetLayout(h, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_PLANAR);
        }) == CLFFT_INVALID_PLAN);
  for (const auto& lengths : {std::vector<std::size_t>{16}, {4, 4, 4}}) {
    CHECK(baked(lengths, [&](auto h) { clfftSetPlanTransposeResult(h, CLFFT_TRANSPOSED); }) ==
          CLFFT_TRANSPOSED_NOTIMPLEMENTED);
  }
}

TEST_CASE("values that setters refuse change nothing", "[clfft][bad]") {
  Bench bench;
  ClientPlan plan(bench, {16});
  const clfftPlanHandle h = plan.handle;
  const size_t with_zero[] = {4, 0, 4};
  CHECK(clfftSetPlanLength(h, CLFFT_3D, with_zero) == CLFFT_INVALID_ARG_VALUE);
  CHECK(clfftSetPlanLength(h, ENDDIMENSION, with_zero) == CLFFT_NOTIMPLEMENTED);
  CHECK(clfftSetPlanDim(h, static_cast<clfftDim>(0)) == CLFFT_NOTIMPLEMENTED);
  CHECK(clfftSetPlanDim(h, static_cast<clfftDim>(-1)) == CLFFT_NOTIMPLEMENTED);
  CHECK(clfftSetPlanPrecision(h, CLFFT_DOUBLE_FAST) == CLFFT_NOTIMPLEMENTED);
  CHECK(clfftSetPlanPrecision(h, static_cast<clfftPrecision>(0)) == CLFFT_INVALID_ARG_VALUE);
  CHECK(clfftSetPlanScale(h, ENDDIRECTION, 2) == CLFFT_INVALID_ARG_VALUE);
  CHECK(clfftSetLayout(h, static_cast<clfftLayout>(0), CLFFT_REAL) == CLFFT_INVALID_ARG_VALUE);
  CHECK(clfftSetLayout(h, CLFFT_REAL, CLFFT_REAL) == CLFFT_NOTIMPLEMENTED);
  CHECK(clfftSetResultLocation(h, ENDPLACE) == CLFFT_INVALID_ARG_VALUE);
  CHECK(clfftSetPlanTransposeResult(h, ENDTRANSPOSED) == CLFFT_INVALID_ARG_VALUE);
  size_t strides[3] = {9, 9, 9};
  CHECK(clfftSetPlanInStride(h, ENDDIMENSION, strides) == CLFFT_NOTIMPLEMENTED);
  CHECK(clfftGetPlanLength(h, CLFFT_3D, strides) == CLFFT_INVALID_ARG_INDEX);
  CHECK(clfftGetPlanInStride(h, CLFFT_2D, strides) == CLFFT_INVALID_ARG_INDEX);
  CHECK(clfftGetPlanOutStride(h, CLFFT_2D, strides) == CLFFT_INVALID_ARG_INDEX);

  cl_mem data = bench.upload(std::vector<float>(32, 1.0f));
  REQUIRE(plan.run(bench.queue, CLFFT_FORWARD, data) == CLFFT_SUCCESS);
  CHECK(bench.download<float>(data, 1)[0] == Approx(16));
}

}  // namespace imago::test::clfft
