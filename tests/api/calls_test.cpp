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
