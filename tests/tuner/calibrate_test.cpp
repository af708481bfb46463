// This file checks that the calibration gives usable values on the tests' device.
#include "support/catch.hpp"

#include <chrono>
#include <cmath>

#include "runtime/facts.hpp"
#include "support/device.hpp"
#include "tuner/calibrate.hpp"

namespace imago {
namespace {

TEST_CASE("the calibration measures every rate of a device in seconds") {
  cl_device_id device = test::default_device().device();
  const auto facts = runtime::reported_facts(device);
  const auto begin = std::chrono::steady_clock::now();
  const auto [rates, scatter] = tuner::calibrate(device, facts);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  WARN(facts.name << ": copy " << rates.copy_bytes / 1e9 << " GB/s, local "
                  << rates.local_bytes / 1e9 << " GB/s, " << rates.flops / 1e9
                  << " GFLOP/s, launch " << rates.launch_seconds * 1e6 << " us, segments "
                  << rates.segments[0] << ' ' << rates.segments[1] << ' ' << rates.segments[2]
                  << ' ' << rates.segments[3] << ' ' << rates.segments[4] << ", took "
                  << taken.count() << " s");
  for (const double rate :
       {rates.copy_bytes, rates.local_bytes, rates.flops, rates.launch_seconds}) {
    CHECK(std::isfinite(rate));
    CHECK(rate > 0);
  }
  CHECK(rates.copy_bytes > 1e8);
  CHECK(rates.copy_bytes < 1e14);
  CHECK(rates.flops > 1e8);
  if (facts.f64.native) CHECK(rates.flops_f64 > 1e8);
  CHECK(rates.launch_seconds < 0.1);
  // Not compared with each other: on a shared machine a longer segment may be measured slower.
  for (const double share : rates.segments) {
    CHECK(share > 0);
    CHECK(share <= 1.5);
  }
  CHECK(scatter >= 0);
  CHECK(taken.count() < 30);  // about one on an idle machine
}

}  // namespace
}  // namespace imago
