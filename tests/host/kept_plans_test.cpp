// This file checks the plan cache of fft.hpp: its size, its threads, its device.
#include <atomic>
#include <complex>
#include <thread>

#include "api/support.hpp"
#include "host/kept_plans.hpp"
#include "support/catch.hpp"
#include "support/log_lines.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

using host::KeptPlans;

KeptPlans kept(std::size_t plans, std::size_t bytes) {
  const auto& device = test::default_device();
  return KeptPlans(Pool(device.context, device.device), {plans, bytes});
}

TEST_CASE("the plans that were used last are kept", "[host][kept]") {
  KeptPlans plans = kept(2, 1 << 20);
  const auto first = plans.get(test::transform(8)), second = plans.get(test::transform(16));
  CHECK(plans.get(test::transform(8)) == first);
  const auto third = plans.get(test::transform(32));  // evicts 16
  CHECK(plans.size() == 2);
  CHECK(plans.get(test::transform(8)) == first);
  CHECK(plans.get(test::transform(32)) == third);
  CHECK(plans.get(test::transform(16)) != second);
  Transform other = test::transform(8);
  other.norm = Norm::ortho;
  CHECK(plans.get(other) != first);
  CHECK(plans.size() == 2);
}

TEST_CASE("scratch is kept up to its limit, and by the last plan in any case", "[host][kept]") {
  const auto large = [](std::size_t batch) {  // two kernels, and no room for the data between them
    return test::transform(std::size_t{1} << 20, batch, Placement::in_place);
  };
  KeptPlans plans = kept(8, 9 << 20);
  const auto scratch = plans.get(large(1))->workspace_bytes();
  REQUIRE(scratch > 0);
  REQUIRE(scratch <= std::size_t{9} << 20);
  plans.get(test::transform(8));
  CHECK(plans.size() == 2);
  const auto last = plans.get(large(2));
  CHECK(plans.size() == 1);
  CHECK(plans.get(large(2)) == last);
}

TEST_CASE("a plan that cannot be made is not kept", "[host][kept]") {
  KeptPlans plans = kept(2, 1 << 20);
  for (int i = 0; i < 2; ++i) {
    CHECK_THROWS_AS(plans.get(test::transform(0)), InvalidArgument);
    CHECK(plans.size() == 0);
  }
}

TEST_CASE("threads that want the same plan get one", "[host][kept][threads]") {
  KeptPlans plans = kept(4, 1 << 20);
  std::vector<KeptPlans::Shared> found(8);
  {
    std::vector<std::jthread> threads;
    for (auto& plan : found) threads.emplace_back([&] { plan = plans.get(test::transform(24)); });
  }
  CHECK(plans.size() == 1);
  for (const auto& plan : found) CHECK(plan == found.front());
}

/// Each thread uses arrays of its own lengths, and of one length that all use.
TEST_CASE("8 threads call the functions while plans are dropped", "[host][kept][threads]") {
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        for (int round = 0; round < 5; ++round) {
          if (i == 0) release_memory();
          for (const std::size_t length : {24 + i, std::size_t{60}}) {
            const auto x = test::noise<float>(length, static_cast<unsigned>(i));
            right += test::distance(ifft(fft(x)), x) < 1e-6;
          }
        }
      });
  }
  CHECK(right == 80);
}

TEST_CASE("a device that is not there is said, and looked for again", "[host][kept]") {
  const std::vector<std::complex<float>> x(8, 1.0f);
  release_memory();
  {
    const test::Variable variable("IMAGO_DEVICE", "no such device");
    CHECK_THROWS_WITH(fft(x), test::ContainsSubstring("IMAGO_DEVICE is \"no such device\""));
  }
  CHECK(fft(x)[0] == 8.0f);
  {
    const test::Variable variable("IMAGO_DEVICE", "no such device");
    CHECK(fft(x)[0] == 8.0f);  // it was found once
  }
}

}  // namespace
}  // namespace imago
