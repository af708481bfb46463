// This file checks the host's cost of a call and its end: no heap memory, no event without a
// request, and failures that reach the call's event. It tests one kernel, several, and several in
// one launch.
#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>

#include "api/support.hpp"
#include "support/catch.hpp"

namespace {

thread_local std::size_t allocations = 0;

void* counted(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
// Memory that the library allocates without exceptions is freed below, too.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace imago {
namespace {

using test::distance;
using test::noise;
using test::transform;
using Float = std::complex<float>;

constexpr std::size_t kLength = 256;

Options with_launches(Launches launches) {
  Options options = test::two_kernels();
  options.parameters.launches = launches;
  options.parameters.mapping =
      Mapping::vector;  // work-groups of one work-item can synchronize on any device
  return options;
}

std::vector<Options> every_way() {
  return {Options(), with_launches(Launches::several), with_launches(Launches::one)};
}

bool is_right(const test::Device& device, const Plan& plan) {
  const auto x = noise<float>(kLength);
  const auto data = device.upload(x);
  plan.forward(device.queue, data);
  return distance(device.download<Float>(data, kLength), test::naive_dft(x, 0, kLength, -1)) < 1e-6;
}

TEST_CASE("a call takes no memory from the heap", "[api][calls]") {
  const test::Device device;
  for (const auto& options : every_way()) {
    const Plan plan(device.context, device.device, transform(kLength, 1, Placement::in_place),
                    options);
    const auto data = device.upload(noise<float>(kLength));
    plan.forward(device.queue, data);
    const std::size_t before = allocations;
    for (int i = 0; i < 10; ++i) plan.forward(device.queue, data);
    CHECK(allocations == before);
    cl::Event done;
    const Call call{.waits = {}, .event = &done, .workspace = nullptr};
    plan.forward(device.queue, data, call);
    CHECK(allocations == before);
    CHECK(done.wait() == CL_SUCCESS);
  }
  const std::size_t before = allocations;
  const std::vector<int> one(1);
  CHECK(allocations > before);  // they are counted
}

TEST_CASE("arguments are set again if a new buffer has the handle of a freed one", "[api][calls]") {
  const test::Device device;
  const Plan plan(device.context, device.device, transform(kLength, 1, Placement::in_place));
  for (int i = 0; i < 50; ++i) CHECK(is_right(device, plan));
  auto large = device.upload(noise<float>(kLength));
  plan.forward(device.queue, large);
  device.queue.finish();
  for (int i = 0; i < 20; ++i) {
    // Most allocators return the memory that was freed last.
    large = cl::Buffer();
    large = device.allocate(i % 2 == 0 ? kLength * sizeof(Float) - 1 : kLength * sizeof(Float));
    if (i % 2 == 0)
      CHECK_THROWS_AS(plan.forward(device.queue, large), InvalidArgument);
    else
      CHECK_NOTHROW(plan.forward(device.queue, large));
    device.queue.finish();
  }
}

/// Lets an event fail for which commands of a queue wait. The pauses are for PoCL 3.1: its threads
/// abort the process if they hand over the commands, or release them, at the same moment.
void fail(const cl::CommandQueue& queue, cl::UserEvent& gate) {
  constexpr std::chrono::milliseconds kPause(5);
  queue.flush();
  std::this_thread::sleep_for(kPause);
  gate.setStatus(-5);
  std::this_thread::sleep_for(kPause);
}

TEST_CASE("a failed event fails the whole call", "[api][calls]") {
  const test::Device device;
  for (const auto& options : every_way()) {
    const Plan plan(device.context, device.device, transform(kLength, 1, Placement::in_place),
                    options);
    for (const auto& queue : {device.make_queue(), device.out_of_order()}) {
      const auto data = device.upload(noise<float>(kLength));
      cl::UserEvent gate(device.context);
      cl::Event done;
      plan.forward(queue, data, {.waits = {gate}, .event = &done});
      fail(queue, gate);
      CHECK(done.wait() != CL_SUCCESS);
      CHECK(done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() < 0);
      CHECK(is_right(device, plan));
    }
  }
}

TEST_CASE("a failed event fails a call that asks for no event", "[api][calls]") {
  const test::Device device;
  for (const auto& options : every_way()) {
    const Plan plan(device.context, device.device, transform(kLength, 1, Placement::in_place),
                    options);
    const auto x = noise<float>(kLength);
    const auto data = device.upload(x);
    const auto queue = device.out_of_order();
    cl::UserEvent gate(device.context);
    plan.forward(queue, data, {.waits = {gate}});
    fail(queue, gate);
    queue.finish();
    CHECK(device.download<Float>(data, kLength) == x);
    CHECK(is_right(device, plan));
  }
}

TEST_CASE("an event that is in use may be given", "[api][calls]") {
  const test::Device device;
  for (const auto& options : every_way()) {
    const Plan plan(device.context, device.device, transform(kLength, 1, Placement::in_place),
                    options);
    const auto x = noise<float>(kLength);
    const auto data = device.upload(x);
    const auto queue = device.out_of_order();
    cl::UserEvent gate(device.context);
    cl::Event event = gate;
    plan.forward(queue, data, {.waits = {event}, .event = &event});
    plan.inverse(queue, data, {.waits = {event}, .event = &event});
    queue.flush();
    CHECK(event() != gate());
    gate.setStatus(CL_COMPLETE);
    CHECK(distance(device.download<Float>(data, kLength, event), x) < 1e-6);
  }
}

TEST_CASE("a call computes the first transforms of a batch", "[api][calls]") {
  const test::Device device;
  constexpr std::size_t kBatch = 21;
  for (const auto& options : {Options{.profiles = false}, test::two_kernels()}) {
    for (const Kind kind : {Kind::complex, Kind::real}) {
      Transform t = transform(kLength, kBatch);
      t.kind = kind;
      const Plan plan(device.context, device.device, t, options);
      const std::size_t numbers = kind == Kind::real ? kLength : 2 * kLength;
      const std::size_t bins = kind == Kind::real ? kLength / 2 + 1 : kLength;
      const auto x = noise<float>(kBatch * kLength);  // as real numbers, its first half
      const auto in = device.upload(x), whole = device.upload(noise<float>(kBatch * kLength));
      plan.forward(device.queue, in, whole);
      const auto wanted = device.download<Float>(whole, kBatch * bins);
      for (const std::size_t count : {std::size_t{1}, std::size_t{8}, kBatch - 1, kBatch}) {
        const std::vector<Float> before(kBatch * kLength, Float(7, -7));
        const auto out = device.upload(before);
        plan.forward(device.queue, in, out, {.count = count});
        const auto found = device.download<Float>(out, kBatch * bins);
        const auto part = static_cast<std::ptrdiff_t>(count * bins);
        CHECK(std::equal(found.begin(), found.begin() + part, wanted.begin()));
        CHECK(std::all_of(found.begin() + part, found.end(),
                          [](const Float& y) { return y == Float(7, -7); }));
        // Smaller buffers suffice.
        const cl::Buffer few(device.context, CL_MEM_READ_ONLY, count * numbers * 4),
            less(device.context, CL_MEM_READ_WRITE, count * bins * 8);
        device.queue.enqueueCopyBuffer(in, few, 0, 0, count * numbers * 4);
        plan.forward(device.queue, few, less, {.count = count});
        CHECK(std::equal(found.begin(), found.begin() + part,
                         device.download<Float>(less, count * bins).begin()));
      }
      // The next call computes all again.
      const auto out = device.upload(std::vector<Float>(kBatch * kLength));
      plan.forward(device.queue, in, out);
      CHECK(device.download<Float>(out, kBatch * bins) == wanted);
      CHECK_THROWS_AS(plan.forward(device.queue, in, out, {.count = kBatch + 1}), InvalidArgument);
    }
  }
}

TEST_CASE("a call for a part of the batch never computes another one", "[api][calls]") {
  const test::Device device;
  // The elements of the batch are between the rows of a plane, or adjacent. If only the rows are
  // transformed, those of all elements are one loop.
  for (const auto& [adjacent, rows] : {std::pair(false, false), {true, false}, {false, true}}) {
    Transform t{.lengths = {8, 16}, .batch = 4, .placement = Placement::in_place};
    if (rows) t.axes = {Kind::identity, Kind::complex};
    t.signal = adjacent ? Layout{.strides = {64, 4}, .distance = 1}
                        : Layout{.strides = {64, 1}, .distance = 16};
    t.spectrum = t.signal;
    const Plan plan(device.context, device.device, t);
    const auto data = device.upload(noise<float>(512));
    CHECK_THROWS_AS(plan.forward(device.queue, data, {.count = 2}), Unsupported);
    CHECK_NOTHROW(plan.forward(device.queue, data, {.count = 0}));
    CHECK_NOTHROW(plan.forward(device.queue, data, {.count = 4}));
  }
  const Convolution convolution(device.context, device.device,
                                {.signal = {40}, .kernel = {9}, .batch = 3});
  const auto memory = device.upload(noise<float>(512)), other = device.upload(noise<float>(512)),
             third = device.upload(noise<float>(512));
  CHECK_THROWS_AS(convolution.apply(device.queue, memory, other, third, {.count = 2}),
                  InvalidArgument);
}

TEST_CASE("a call for a part of the batch waits for the plan's own kernels", "[api][calls]") {
  const test::Device device;
  const Transform t = transform(kLength, 5, Placement::in_place);
  const auto x = noise<float>(5 * kLength);
  const auto data = device.upload(x);
  const Plan plan(device.context, device.device, t,
                  {.disk_cache = false, .first_call = FirstCall::automatic});
  plan.forward(device.queue, data, {.count = 3});
  CHECK(plan.ready());
  const auto found = device.download<Float>(data, 5 * kLength);
  const std::vector<Float> third(found.begin() + 2 * kLength, found.begin() + 3 * kLength);
  CHECK(test::distance(third, test::naive_dft(x, 2 * kLength, kLength, -1)) < 1e-6);
  CHECK(std::equal(found.begin() + 3 * kLength, found.end(), x.begin() + 3 * kLength));
  const Plan generic(device.context, device.device, t, {.first_call = FirstCall::generic});
  CHECK_THROWS_AS(generic.forward(device.queue, data, {.count = 3}), Unsupported);
}

TEST_CASE("a call gives an event of each kernel", "[api][calls]") {
  const test::Device device;
  const cl::CommandQueue timed(device.context, device.device, CL_QUEUE_PROFILING_ENABLE);
  const auto ends = [](const std::vector<cl::Event>& events) {
    cl_ulong last = 0;
    for (const cl::Event& event : events) {
      event.wait();
      const auto start = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
      CHECK(start >= last);
      last = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
      CHECK(last > start);
    }
  };
  const Plan plan(device.context, device.device, transform(kLength, 1, Placement::in_place),
                  with_launches(Launches::several));
  const auto data = device.upload(noise<float>(kLength));
  std::vector<cl::Event> events;
  for (const auto& queue : {timed, device.queue}) {
    events.clear();
    plan.forward(queue, data, {.events = &events});
    CHECK(events.size() == 2);
    if (queue() == timed()) ends(events);
  }
  // Plans of plans, whose kernels run one after the other.
  const ConvolutionShape shape{.signal = {40}, .kernel = {9}, .channels = 2};
  const Convolution convolution(device.context, device.device, shape, {.profiles = false});
  const cl::Buffer spectrum(device.context, CL_MEM_READ_WRITE, convolution.spectrum_bytes()),
      result(device.context, CL_MEM_READ_WRITE, convolution.result_bytes());
  events.clear();
  convolution.prepare(timed, data, spectrum, {.events = &events});
  const std::size_t prepared = events.size();
  CHECK(prepared >= 1);
  cl::Event done;
  convolution.apply(timed, data, spectrum, result, {.event = &done, .events = &events});
  CHECK(events.size() >= prepared + 2);
  ends(events);
  CHECK(done.wait() == CL_SUCCESS);
}

TEST_CASE("a plan of one launch rejects the same mistakes as other plans", "[api][calls]") {
  const test::Device device, other;
  const Plan plan(device.context, device.device, transform(kLength, 1, Placement::in_place),
                  with_launches(Launches::one));
  const auto data = device.upload(noise<float>(kLength));
  Workspace foreign(other.context, other.device, 1 << 16);
  CHECK_THROWS_AS(plan.forward(other.queue, data), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(device.queue, device.allocate(kLength)), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(device.queue, data, {.workspace = &foreign}), InvalidArgument);
  CHECK(is_right(device, plan));
}

}  // namespace
}  // namespace imago
