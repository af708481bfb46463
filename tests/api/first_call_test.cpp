// This file tests plans that begin on generic kernels (Options::first_call).
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <imago/imago.hpp>

#include "api/execution.hpp"
#include "runtime/binary_cache.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/log_lines.hpp"
#include "support/message.hpp"
#include "support/variable.hpp"

using namespace imago;

namespace {

constexpr std::uint64_t kMany = std::uint64_t{1} << 20;

Options begin_with(FirstCall first_call) {
  Options options;
  options.first_call = first_call;
  options.disk_cache = false;  // kernels of earlier runs would be used at once
  return options;
}

/// Data and spectrum of a plan: a ramp, and what the plan with its own kernels computes.
struct Ramp {
  explicit Ramp(const Transform& transform) {
    const auto& device = test::default_device();
    const Plan plan(device.context, device.device, transform);
    std::vector<float> numbers(plan.signal_bytes() / sizeof(float));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 17);
    signal = device.upload(numbers);
    spectrum_bytes = plan.spectrum_bytes();
    expected = computed_by(plan, device.queue);
    runtime::BinaryCache::instance().clear();  // another plan would use its kernels at once
  }
  std::vector<float> computed_by(const Plan& plan, const cl::CommandQueue& queue,
                                 Workspace* workspace = nullptr) const {
    const auto& device = test::default_device();
    const auto spectrum = device.allocate(spectrum_bytes);
    cl::Event done;
    plan.forward(queue, signal, spectrum, {.event = &done, .workspace = workspace});
    test::check_call(queue.flush(), "clFlush");
    return device.download<float>(spectrum, spectrum_bytes / sizeof(float), done);
  }
  bool is_right(const std::vector<float>& found) const {
    double error = 0, size = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      error += std::pow(found[i] - expected[i], 2);
      size += std::pow(expected[i], 2);
    }
    return error <= 1e-10 * size;
  }

  cl::Buffer signal;
  std::size_t spectrum_bytes = 0;
  std::vector<float> expected;
};

}  // namespace

TEST_CASE("a plan begins on generic kernels and goes on with its own", "[first_call]") {
  const auto& device = test::default_device();
  const Transform transform{.kind = Kind::real, .lengths = {30, 44}};
  const Ramp ramp(transform);
  const Plan plan(device.context, device.device, transform, begin_with(FirstCall::automatic));
  CHECK_FALSE(plan.ready());
  CHECK(plan.describe().find("generic kernel") != std::string::npos);
  CHECK(ramp.is_right(ramp.computed_by(plan, device.queue)));
  CHECK_FALSE(plan.ready());
  const auto recipe = plan.recipe();
  CHECK(plan.wait());
  CHECK(plan.ready());
  CHECK(plan.describe().find("generic kernel") == std::string::npos);
  CHECK(plan.recipe() == recipe);
  CHECK(ramp.is_right(ramp.computed_by(plan, device.queue)));
}

TEST_CASE("the second call of a large plan begins to build", "[first_call]") {
  const auto& device = test::default_device();
  const Transform transform{.lengths = {128}, .batch = 4096, .directions = Directions::forward};
  const Ramp ramp(transform);
  const Plan plan(device.context, device.device, transform, begin_with(FirstCall::automatic));
  for (int call = 0; call < 2; ++call) CHECK(ramp.is_right(ramp.computed_by(plan, device.queue)));
  for (int i = 0; i < 6000 && !plan.ready(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(plan.ready());
}

TEST_CASE("a workspace that was made for other kernels is not used", "[first_call]") {
  const auto& device = test::default_device();
  const Transform transform{.lengths = {1 << 16}, .batch = 3, .directions = Directions::forward};
  const Ramp ramp(transform);
  const Plan plan(device.context, device.device, transform, begin_with(FirstCall::automatic));
  Workspace small(device.context, device.device, 64), large(device.context, device.device, 1 << 24);
  for (const bool own : {false, true}) {
    if (own) CHECK(plan.wait());
    CHECK(plan.ready() == own);
    for (Workspace* workspace : {&small, &large})
      CHECK(ramp.is_right(ramp.computed_by(plan, device.queue, workspace)));
  }
}

TEST_CASE("a plan may keep its generic kernels", "[first_call]") {
  const auto& device = test::default_device();
  const Plan plan(device.context, device.device, {.lengths = {90}}, begin_with(FirstCall::generic));
  CHECK(plan.wait());
  CHECK_FALSE(plan.ready());
  CHECK(plan.sources().size() == 1);
}

TEST_CASE("plans that generic kernels cannot compute are compiled", "[first_call]") {
  const auto& device = test::default_device();
  Options options = begin_with(FirstCall::automatic);
  Transform transform{.lengths = {20}, .directions = Directions::forward};
  SECTION("halves in two buffers") {
    transform.precision = Precision::f16;
    transform.signal.storage = Storage::planar;
  }
  SECTION("a user's function") {
    transform.on_forward.load = {
        hook::code("float2 f(float2 x, const imago_at* at) { return x; }", "f")};
  }
  SECTION("deterministic results") { options.deterministic = true; }
  SECTION("a given workspace") { options.scratch.per_call = true; }
  SECTION("parameters by hand") { options.parameters.algorithm = Algorithm::single; }
  CHECK(Plan(device.context, device.device, transform, options).ready());
}

TEST_CASE("the environment overrides the automatic choice", "[first_call]") {
  const auto& device = test::default_device();
  const Transform transform{.lengths = {21}, .directions = Directions::forward};
  const auto make = [&] {
    return Plan(device.context, device.device, transform, begin_with(FirstCall::automatic));
  };
  {
    const test::Variable variable("IMAGO_FIRST_CALL", "compile");
    CHECK(make().ready());
  }
  {
    const test::Variable variable("IMAGO_FIRST_CALL", "generic");
    const Plan plan = make();
    CHECK((plan.wait() && !plan.ready()));
  }
  const test::Variable variable("IMAGO_FIRST_CALL", "never");
  CHECK(test::message_of(make).find("IMAGO_FIRST_CALL") != std::string::npos);
}

TEST_CASE("threads may call a plan while its kernels change", "[first_call][threads]") {
  const auto& device = test::default_device();
  const Transform transform{.lengths = {48, 50}, .directions = Directions::forward};
  const Ramp ramp(transform);
  const Plan plan(device.context, device.device, transform, begin_with(FirstCall::automatic));
  std::atomic<unsigned> wrong = 0, after = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      const auto queue = device.make_queue();
      for (int more = 20; more > 0; more -= plan.ready() ? 1 : 0) {
        after += plan.ready() ? 1 : 0;
        wrong += ramp.is_right(ramp.computed_by(plan, queue)) ? 0 : 1;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(after > 0);
}

TEST_CASE("a build begins when a plan is used enough", "[first_call]") {
  std::atomic<int> made = 0;
  int keys = 0;
  const auto upgrade_of = [&](std::uint64_t points, const std::string& key) {
    return std::make_shared<api::Upgrade>(nullptr, points, key, [&]() -> api::Upgrade::Shared {
      ++made;
      return nullptr;
    });
  };
  const auto begins_after = [&](std::uint64_t points) {
    const auto upgrade = upgrade_of(points, "test " + std::to_string(++keys));
    int calls = 0;
    for (made = 0; made == 0 && calls < 100; ++calls) {
      upgrade->count_call();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return calls;
  };
  CHECK(begins_after(16 * kMany) == 2);
  CHECK(begins_after(kMany / 2) == 2);
  const int some = begins_after(kMany / 8);
  CHECK((some >= 8 && some < 12));
  const int most = begins_after(1);
  CHECK((most >= 64 && most < 80));

  // Plans that a cache drops after each call count together.
  int plans = 0;
  for (made = 0; made == 0 && plans < 100; ++plans) {
    const auto upgrade = upgrade_of(kMany / 8, "dropped");
    upgrade->count_call();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK((plans >= 8 && plans < 12));
}

TEST_CASE("a build that fails is logged once", "[first_call]") {
  const test::LogLines lines;
  const auto upgrade = std::make_shared<api::Upgrade>(
      nullptr, kMany, "fails",
      []() -> api::Upgrade::Shared { throw std::runtime_error("no memory"); });
  for (int call = 0; call < 4; ++call) upgrade->count_call();
  CHECK(upgrade->wait(std::chrono::seconds(60)));
  CHECK(upgrade->current() == nullptr);
  CHECK(lines.count("the plan keeps its generic kernels: no memory") == 1);
}

TEST_CASE("waiting for a build can end before it", "[first_call]") {
  std::atomic<bool> go_on = false;
  const auto upgrade =
      std::make_shared<api::Upgrade>(nullptr, kMany, "waits", [&]() -> api::Upgrade::Shared {
        while (!go_on) std::this_thread::yield();
        return nullptr;
      });
  CHECK_FALSE(upgrade->wait(std::chrono::milliseconds(20)));
  CHECK_FALSE(upgrade->wait(std::chrono::milliseconds::min()));
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    go_on = true;
  });
  CHECK(upgrade->wait(std::chrono::milliseconds::max()));
  later.join();
}

TEST_CASE("a plan for arrays in host memory waits for its kernels as long as it may",
          "[first_call]") {
  const auto& device = test::default_device();
  HostOptions options;
  options.plan = begin_with(FirstCall::automatic);
  const HostPlan plan(Pool(device.context, device.device), {.lengths = {34, 46}}, options);
  std::vector<std::complex<float>> data(34 * 46, 1.0f), result(data.size());
  plan.forward(data, result);
  CHECK_FALSE(plan.ready());
  CHECK(plan.wait(std::chrono::milliseconds::max()));
  CHECK(plan.ready());
}
