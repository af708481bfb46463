// This file checks calls of host plans: progress, stops, threads, several devices, and batches in
// device memory.
#include <atomic>
#include <complex>
#include <thread>

#include "api/support.hpp"
#include "host/support.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using test::distance;
using test::noise;
using test::two_or_more;
using Float = std::complex<float>;

/// Returns a plan of two passes with a few pieces each. Without profiles all devices use the same
/// kernels, so that the results of all calls are bitwise equal.
HostPlan two_passes(const Pool& pool) {
  HostPlan plan(pool, {.lengths = {48, 40}}, {.plan = {.profiles = false}, .memory_limit = 6000});
  REQUIRE(plan.describe().find("pass 2 of 2: ") != std::string::npos);
  return plan;
}

TEST_CASE("several devices compute one call", "[host][calls][long]") {
  const auto all = two_or_more();
  const Pool copying(all, {.copies = true}), mixed(all, {.copies = true, .only = {0}});
  for (const Pool& pool : {copying, mixed}) {
    for (const char* name : {"60*37-f32-out-forward-none", "60*37-f64-in-inverse-backward",
                             "12x10*9-f32-in-forward-none-real", "24x20*3-f32-out-inverse-backward",
                             "16x12x20*1-f32-in-forward-none", "4096*1-f32-out-forward-none"}) {
      const auto outcome = test::verify_on_host(name, {pool, {.memory_limit = 12000}});
      INFO(name << ": " << outcome.detail);
      CHECK(outcome.verdict == catalogue::Verdict::passed);
    }
  }
}

TEST_CASE("CPU devices compute slices of a batch where they lie", "[host][calls]") {
  const Pool pool(two_or_more());
  const HostPlan plan(pool, {.lengths = {1 << 12}, .batch = 500, .placement = Placement::in_place});
  const auto x = noise<float>((1 << 12) * 500);
  auto data = x;
  plan.forward(data);
  CHECK(distance(data, x) > 0.5);
  plan.inverse(data);
  CHECK(distance(data, x) < 1e-6);
  CHECK(plan.describe().find("pass 1 of 1: ") != std::string::npos);
}

TEST_CASE("progress goes from 0 to 1, in the calling thread", "[host][calls]") {
  const Pool pool(test::default_device().context, test::default_device().device, {.copies = true});
  const auto x = noise<float>(48 * 40);
  std::vector<Float> y(x.size());
  for (const std::size_t limit : {0, 6000}) {
    const HostPlan plan(pool, {.lengths = {48, 40}}, {.memory_limit = limit});
    std::vector<double> told;
    bool here = true;
    plan.forward(x, y, {.progress = [&, id = std::this_thread::get_id()](double share) {
                   told.push_back(share);
                   here = here && id == std::this_thread::get_id();
                 }});
    CHECK(here);
    CHECK(told.front() == 0);
    CHECK(told.back() == 1);
    CHECK(std::is_sorted(told.begin(), told.end()));
    if (limit > 0) CHECK(std::find(told.begin(), told.end(), 0.5) != told.end());
  }
}

TEST_CASE("a call is stopped, and one whose progress throws ends", "[host][calls]") {
  const Pool pool(two_or_more(), {.copies = true});
  const HostPlan plan = two_passes(pool);
  const auto x = noise<float>(48 * 40);
  std::vector<Float> y(x.size()), expected(x.size());
  plan.forward(x, expected);
  for (const double when : {0.0, 0.5}) {
    std::stop_source source;
    const auto stop = [&](double share) {
      if (share >= when) source.request_stop();
    };
    CHECK_THROWS_AS(plan.forward(x, y, {stop, source.get_token()}), Stopped);
    CHECK_THROWS_AS(plan.forward(x, y, {{}, source.get_token()}), Stopped);
    const auto fail = [&](double share) {
      if (share >= when) throw std::runtime_error("enough");
    };
    CHECK_THROWS_AS(plan.forward(x, y, {fail, {}}), std::runtime_error);
    y.assign(y.size(), {});
    plan.forward(x, y);
    CHECK(y == expected);
  }
}

TEST_CASE("threads share a host plan", "[host][calls][threads]") {
  const Pool pool(two_or_more(), {.copies = true});
  const HostPlan plan = two_passes(pool);
  const auto x = noise<float>(48 * 40);
  std::vector<Float> expected(x.size());
  plan.forward(x, expected);
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        std::vector<Float> y(x.size());
        for (int round = 0; round < 5; ++round) {
          y.assign(y.size(), {});
          plan.forward(x, y);
          right += y == expected;
        }
      });
  }
  CHECK(right == 20);
  pool.clear();
  std::vector<Float> y(x.size());
  plan.forward(x, y);
  CHECK(y == expected);
}

TEST_CASE("a pool lends buffers to other work", "[host][calls]") {
  for (const bool copies : {false, true}) {
    const Pool pool(test::default_device().context, test::default_device().device,
                    {.copies = copies});
    // Sizes below and above the limit for staging.
    for (const std::size_t count : {1000, 3 << 20}) {
      std::vector<float> from(count, 2.5f), to(count);
      const std::size_t bytes = count * sizeof(float);
      pool.on_buffers(
          {from.data(), bytes}, {to.data(), bytes},
          [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer& out) {
            queue.enqueueCopyBuffer(in, out, 0, 0, bytes);
          });
      CHECK(to == from);
      float last = 0;
      pool.on_buffers({from.data(), bytes}, {},
                      [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer&) {
                        queue.enqueueReadBuffer(in, CL_TRUE, bytes - 4, 4, &last);
                      });
      CHECK(last == 2.5f);
    }
  }
}

TEST_CASE("a pool refuses work and memory that are not there", "[host][calls]") {
  const Pool pool(test::default_device().context, test::default_device().device);
  float x[4] = {};
  const HostBytes there{x, sizeof x}, none{nullptr, sizeof x};
  const auto nothing = [](const cl::CommandQueue&, const cl::Buffer&, const cl::Buffer&) {};
  CHECK_THROWS_AS(pool.on_buffers(there, there, {}), InvalidArgument);
  CHECK_THROWS_WITH(pool.on_buffers(there, there, {}), test::ContainsSubstring("work is empty"));
  CHECK_THROWS_WITH(pool.on_buffers(none, there, nothing),
                    test::ContainsSubstring("from.data is null"));
  CHECK_THROWS_WITH(pool.on_buffers(there, none, nothing),
                    test::ContainsSubstring("to.data is null"));
  CHECK_THROWS_WITH(pool.on_buffers(there, {x + 1, sizeof x - 4}, nothing),
                    test::ContainsSubstring("the distance of from and to is 4; they overlap"));
  CHECK_THROWS_WITH(pool.on_buffers({x + 1, 8}, there, nothing),
                    test::ContainsSubstring("the distance of from and to is -4; they overlap"));
  CHECK_THROWS_WITH(Pool(test::default_device().context, test::default_device().device,
                         {.copies = true, .only = {0, 1}}),
                    test::ContainsSubstring("options.only[1] is 1; it must be below the number"));
  CHECK_THROWS_WITH(Pool({test::default_device().device}, {.only = {7}}),
                    test::ContainsSubstring("options.only[0] is 7; it must be below the number"));
}

TEST_CASE("a side without bytes is a null buffer", "[host][calls]") {
  for (const bool copies : {false, true}) {
    const Pool pool(test::default_device().context, test::default_device().device,
                    {.copies = copies});
    for (const std::size_t count : {16, 3 << 20}) {
      std::vector<float> x(count, 1);
      const HostBytes all{x.data(), count * sizeof(float)};
      bool from_is_null = false, both_are_null = false;
      pool.on_buffers(
          {}, all, [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer& out) {
            from_is_null = in() == nullptr;
            queue.enqueueFillBuffer(out, 7.0f, 0, all.bytes);
          });
      CHECK(from_is_null);
      CHECK(x == std::vector<float>(count, 7));
      pool.on_buffers({}, {},
                      [&](const cl::CommandQueue&, const cl::Buffer& in, const cl::Buffer& out) {
                        both_are_null = in() == nullptr && out() == nullptr;
                      });
      CHECK(both_are_null);
    }
  }
}

TEST_CASE("a batch lives on several devices", "[host][dealt]") {
  const Pool pool(two_or_more());
  constexpr std::size_t kLength = 60, kBatch = 11;
  const MultiDevicePlan plan(pool, {.lengths = {kLength}, .batch = kBatch});
  const auto x = noise<float>(kLength * kBatch);
  std::size_t first = 0;
  std::vector<Array> signals, spectra;
  std::vector<cl::Buffer> buffers;
  const auto buffer = [&](std::size_t i, std::size_t at) -> const cl::Buffer& {
    const std::size_t bytes = plan.shares()[i] * kLength * sizeof(Float);
    return buffers.emplace_back(bytes == 0 ? cl::Buffer()
                                           : cl::Buffer(pool.context(i), CL_MEM_COPY_HOST_PTR,
                                                        bytes, const_cast<Float*>(&x[at])));
  };
  for (std::size_t i = 0; i < pool.size(); ++i) {
    signals.emplace_back(buffer(i, first * kLength));
    spectra.emplace_back(buffer(i, 0));
    first += plan.shares()[i];
  }
  CHECK(first == kBatch);
  plan.forward(signals, spectra);
  plan.finish();
  first = 0;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    for (std::size_t member = 0; member < plan.shares()[i]; ++member, ++first) {
      std::vector<Float> y(kLength);
      plan.queue(i).enqueueReadBuffer(buffers[2 * i + 1], CL_TRUE, member * kLength * sizeof(Float),
                                      kLength * sizeof(Float), y.data());
      CHECK(distance(y, test::naive_dft(x, first * kLength, kLength, -1)) < 1e-6);
    }
  }
  plan.inverse(spectra, signals);
  CHECK_NOTHROW(plan.finish());
  CHECK_THROWS_AS(plan.forward(signals), InvalidArgument);
  signals.pop_back();
  CHECK_THROWS_AS(plan.forward(signals, spectra), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(spectra, signals), InvalidArgument);
  CHECK_THROWS_AS(plan.queue(pool.size()), InvalidArgument);
}

}  // namespace
}  // namespace imago
