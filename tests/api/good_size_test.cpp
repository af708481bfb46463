// This file checks lengths that transform fast.
#include <imago/plan.hpp>

#include <imago/error.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"

namespace imago {
namespace {

double seconds(const cl::Device& device, std::size_t length) {
  Transform t;
  t.lengths = {length};
  t.batch = (std::size_t{1} << 22) / length + 1;
  t.directions = Directions::forward;
  Options options;
  options.profiles = false;
  return estimate(device, t, options).seconds / static_cast<double>(t.batch);
}

TEST_CASE("a good size is not far, and no slower", "[api]") {
  const test::Device device;
  for (const std::size_t n : {1, 7, 17, 37, 1009, 1021, 4097, 65537, 99991}) {
    const std::size_t good = good_size(device.device, n);
    CAPTURE(n, good);
    CHECK(good >= n);
    CHECK(good <= n + n / 4);
    CHECK(seconds(device.device, good) <= seconds(device.device, n));
  }
  CHECK(good_size(device.device, 1024) == 1024);
  CHECK(good_size(device.device, 65537) != 65537);  // a prime needs a convolution
  Transform real;
  real.kind = Kind::real;
  CHECK(good_size(device.device, 1021, real) % 2 == 0);
}

TEST_CASE("good_size() rejects size 0 and a null device", "[api][bad]") {
  const test::Device device;
  CHECK_THROWS_AS(good_size(device.device, 0), InvalidArgument);
  CHECK_THROWS_AS(good_size(cl::Device(), 16), InvalidArgument);
}

}  // namespace
}  // namespace imago
