// This file checks how calls of a plan run: events, out-of-order queues, shared workspaces,
// threads.
#include <chrono>
#include <thread>

#include "api/support.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using test::distance;
using test::noise;
using test::transform;
using Float = std::complex<float>;

constexpr double kClose = 1e-6;

bool finished(const cl::Event& event) {
  return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() == CL_COMPLETE;
}

TEST_CASE("a call waits for its events and returns before it ran", "[api][execution]") {
  const test::Device device;
  const auto x = noise<float>(512);
  const auto expected = test::naive_dft(x, 0, 256, -1);
  const Plan plan(device.context, device.device, transform(256, 2), test::two_kernels());
  for (const auto& queue : {device.queue, device.out_of_order()}) {
    const auto signal = device.upload(std::vector<Float>(512));
    const auto spectrum = device.upload(std::vector<Float>(512));
    cl::UserEvent gate(device.context);
    cl::Event written;
    const std::vector<cl::Event> gates{gate};
    queue.enqueueWriteBuffer(signal, CL_FALSE, 0, 512 * sizeof(Float), x.data(), &gates, &written);
    const auto done = test::forward(plan, queue, signal, spectrum, {.waits = {written}});
    queue.flush();
    CHECK(!finished(done));
    gate.setStatus(CL_COMPLETE);
    const auto y = device.download<Float>(spectrum, 512, done);
    CHECK(distance(std::vector<Float>(y.begin(), y.begin() + 256), expected) < kClose);
  }
}

TEST_CASE("round trips in one out-of-order queue, chained by events", "[api][execution]") {
  const test::Device device;
  const auto x = noise<float>(256 * 8);
  const Plan plan(device.context, device.device, transform(256, 8, Placement::in_place),
                  test::two_kernels());
  const auto queue = device.out_of_order();
  const auto data = device.upload(x);
  cl::Event last = test::forward(plan, queue, data);
  for (int round = 0; round < 20; ++round) {
    last = test::inverse(plan, queue, data, {.waits = {last}});
    last = test::forward(plan, queue, data, {.waits = {last}});
  }
  last = test::inverse(plan, queue, data, {.waits = {last}});
  CHECK(distance(device.download<Float>(data, x.size(), last), x) < 1e-5);
}

TEST_CASE("uses of a workspace are chained across queues and plans", "[api][execution]") {
  const test::Device device;
  Options options = test::two_kernels();
  options.parameters.mapping =
      Mapping::vector;  // work-groups of one work-item can synchronize on any device
  options.parameters.launches = GENERATE(Launches::several, Launches::one);
  options.scratch.workspace = std::make_shared<Workspace>(device.context, device.device, 1 << 20);
  const Plan one(device.context, device.device, transform(256, 64, Placement::in_place), options);
  const Plan two(device.context, device.device, transform(144, 64, Placement::in_place), options);
  REQUIRE(one.workspace_bytes() > 0);
  REQUIRE(two.workspace_bytes() > 0);
  REQUIRE(one.workspace_bytes() <= options.scratch.workspace->bytes());

  const std::vector<cl::CommandQueue> queues{device.queue, device.out_of_order(),
                                             device.make_queue()};
  const auto x = noise<float>(256 * 64);
  std::vector<cl::Buffer> data;
  for (int i = 0; i < 24; ++i) data.push_back(device.upload(x));
  std::vector<cl::Event> events;
  for (int i = 0; i < 24; ++i)
    events.push_back(test::forward((i % 2 ? two : one), queues[i % 3], data[i]));
  for (const auto& queue : queues) queue.flush();
  for (int i = 0; i < 24; ++i) {
    const std::size_t length = i % 2 ? 144 : 256, last = 63 * length;
    const auto y = device.download<Float>(data[i], 64 * length, events[i]);
    CHECK(distance(std::vector<Float>(y.begin() + last, y.end()),
                   test::naive_dft(x, last, length, -1)) < kClose);
  }
}

TEST_CASE("the caller's memory is scratch", "[api][execution]") {
  const test::Device device;
  Options options = test::two_kernels();
  options.scratch.per_call = true;
  const Plan plan(device.context, device.device, transform(256, 4, Placement::in_place), options);
  REQUIRE(plan.workspace_bytes() > 0);
  const auto x = noise<float>(256 * 4);
  const auto data = device.upload(x);
  CHECK_THROWS_AS(plan.forward(device.queue, data), InvalidArgument);
  Workspace small(device.allocate(plan.workspace_bytes() - 4));
  CHECK_THROWS_AS(plan.forward(device.queue, data, {.workspace = &small}), InvalidArgument);

  const std::vector<float> filled(plan.workspace_bytes() / sizeof(float), 7.0f);
  const cl::Buffer memory = device.upload(filled);
  Workspace own(memory);
  CHECK(own.bytes() == filled.size() * sizeof(float));
  plan.forward(device.queue, data, {.workspace = &own});
  const auto y = device.download<Float>(data, x.size());
  CHECK(distance(std::vector<Float>(y.begin(), y.begin() + 256), test::naive_dft(x, 0, 256, -1)) <
        kClose);
  CHECK(device.download<float>(memory, filled.size()) != filled);  // it was used
}

TEST_CASE("one launch without scratch needs no memory of the caller's", "[api][execution]") {
  const test::Device device;
  Options options;
  options.scratch.per_call = true, options.profiles = false;
  options.parameters.mapping = Mapping::vector;
  options.parameters.launches = Launches::one;
  Transform image = transform(256, 1, Placement::in_place);
  image.lengths = {128, 256};
  const Plan plan(device.context, device.device, image, options);
  REQUIRE(plan.describe().find("in one launch") != std::string::npos);
  REQUIRE(plan.workspace_bytes() == 0);
  const auto x = noise<float>(128 * 256);
  const auto data = device.upload(x);
  plan.forward(device.queue, data);
  plan.inverse(device.queue, data);
  CHECK(distance(device.download<Float>(data, x.size()), x) < 1e-5);
}

TEST_CASE("a call waits for the last use of its workspace, and for no other", "[api][execution]") {
  const test::Device device;
  const Plan plan(device.context, device.device, transform(256, 1, Placement::in_place),
                  test::two_kernels());
  Workspace own(device.context, device.device, plan.workspace_bytes());
  const auto x = noise<float>(256);
  const auto first = device.upload(x), second = device.upload(x), third = device.upload(x);
  const cl::CommandQueue other(device.context, device.device),
      another(device.context, device.device);
  cl::UserEvent gate(device.context);
  const auto held = test::forward(plan, device.queue, first, {.waits = {gate}});
  const auto chained = test::forward(plan, other, second);
  const auto apart = test::forward(plan, another, third, {.workspace = &own});
  other.flush();
  CHECK(apart.wait() == CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(!finished(held));
  CHECK(!finished(chained));
  gate.setStatus(CL_COMPLETE);
  CHECK(chained.wait() == CL_SUCCESS);
  CHECK(finished(held));
}

TEST_CASE("a call may bring its own workspace", "[api][execution]") {
  const test::Device device;
  const auto x = noise<float>(256);
  const Plan plan(device.context, device.device, transform(256, 1, Placement::in_place),
                  test::two_kernels());
  Workspace own(device.context, device.device, plan.workspace_bytes());
  Workspace moved = std::move(own);
  const auto data = device.upload(x);
  CHECK_THROWS_AS(plan.forward(device.queue, data, {.workspace = &own}), InvalidArgument);
  const auto done = test::forward(plan, device.queue, data, {.workspace = &moved});
  CHECK(distance(device.download<Float>(data, 256, done), test::naive_dft(x, 0, 256, -1)) < kClose);
}

TEST_CASE("eight threads share one plan and get equal results", "[api][execution][threads]") {
  const test::Device device;
  for (const auto& options : {Options(), test::two_kernels()}) {
    const Plan plan(device.context, device.device, transform(256, 16, Placement::in_place),
                    options);
    const auto x = noise<float>(256 * 16);
    const auto alone = device.upload(x);
    const auto expected =
        device.download<Float>(alone, x.size(), test::forward(plan, device.queue, alone));
    std::vector<int> equal(8);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        test::Device mine = device;
        mine.queue = t % 2 ? device.out_of_order() : device.make_queue();
        for (int round = 0; round < 10; ++round) {
          const auto data = mine.upload(x);
          const auto done = test::forward(plan, mine.queue, data);
          equal[t] += mine.download<Float>(data, x.size(), done) == expected;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK(equal == std::vector<int>(8, 10));
  }
}

TEST_CASE("eight threads make the same plan", "[api][execution][threads]") {
  const test::Device device;
  const auto x = noise<float>(60);
  const auto expected = test::naive_dft(x, 0, 60, -1);
  std::vector<int> right(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const Plan plan(device.context, device.device, transform(60, 1, Placement::in_place));
      const auto data = device.upload(x);
      const auto y = device.download<Float>(data, 60, test::forward(plan, device.queue, data));
      right[t] = distance(y, expected) < kClose;
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(right == std::vector<int>(8, 1));
}

}  // namespace
}  // namespace imago
