// This file checks lengths that transform fast.
#include <imago/plan.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <imago/error.hpp>

#include "api/parts.hpp"
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

TEST_CASE("padded rows have the fastest of the lengths with the fewest operations", "[api]") {
  std::vector<std::size_t> tried;
  const auto best_by = [&](auto predict) {
    tried.clear();
    return api::fastest_length(1000, [&](std::size_t length) {
      tried.push_back(length);
      return predict(length);
    });
  };
  const auto equal = best_by([](std::size_t) { return 1.0; });
  CHECK(equal.first == tried.at(0));
  CHECK(tried.size() == 6);
  CHECK(std::all_of(tried.begin(), tried.end(), [](std::size_t n) { return n >= 1000; }));
  const std::size_t third = tried.at(2);
  const auto best = best_by([&](std::size_t length) { return length == third ? 0.5 : 1.0; });
  CHECK(best == std::pair(third, 0.5));
}

TEST_CASE("lengths that the device cannot plan are no good sizes", "[api]") {
  const test::Device device;
  // Plain complex lines above 2^28 points need a workspace of 2 GiB and more, those of a large
  // prime length several times as much.
  const auto planned = [&](std::size_t n, const Transform& like) -> std::optional<std::string> {
    Transform t = like;
    t.lengths = {n};
    t.directions = Directions::forward;
    Options options;
    options.profiles = false;
    try {
      estimate(device.device, t, options);
      return {};
    } catch (const Unsupported& error) {
      return error.what();
    }
  };
  for (const Kind kind : {Kind::complex, Kind::real}) {
    const Transform like{.kind = kind};
    for (const std::size_t n : {268435459u, 402653189u, 536870923u, 1000000007u, 1u << 30}) {
      CAPTURE(n, static_cast<int>(kind));
      const auto reason = planned(n, like);
      try {
        const std::size_t good = good_size(device.device, n, like);
        CHECK(good >= n);
        CHECK(good <= n + n / 4);
        CHECK_FALSE(planned(good, like));
      } catch (const Unsupported& error) {  // no length can be planned: the reason is that of n
        CHECK(reason == error.what());
      }
    }
  }
}

TEST_CASE("good_size() rejects size 0 and a null device", "[api][bad]") {
  const test::Device device;
  CHECK_THROWS_AS(good_size(device.device, 0), InvalidArgument);
  CHECK_THROWS_AS(good_size(cl::Device(), 16), InvalidArgument);
}

}  // namespace
}  // namespace imago
