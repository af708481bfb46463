// This file checks that shared objects are created once and destroyed with their last user.
#include "runtime/weak_map.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace imago {
namespace {

using Map = runtime::WeakMap<int, const int>;

TEST_CASE("a live object is shared, a dead one is made again", "[runtime]") {
  Map map;
  int made = 0;
  const auto make = [&] { return std::make_shared<const int>(++made); };
  auto first = map.get(7, make);
  CHECK(map.get(7, make) == first);
  CHECK(*map.get(8, make) == 2);  // no user holds the first one
  CHECK(*map.get(8, make) == 3);
  first.reset();
  CHECK(*map.get(7, make) == 4);
}

TEST_CASE("concurrent requests make an object once", "[runtime][threads]") {
  Map map;
  std::atomic<int> made = 0;
  std::vector<std::shared_ptr<const int>> got(8);
  std::vector<std::thread> threads;
  for (auto& slot : got) {
    threads.emplace_back([&] {
      slot = map.get(1, [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return std::make_shared<const int>(++made);
      });
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(made == 1);
  for (const auto& value : got) CHECK(value == got[0]);
}

TEST_CASE("a failure reaches its caller and is not remembered", "[runtime]") {
  Map map;
  CHECK_THROWS_AS(
      map.get(1, []() -> std::shared_ptr<const int> { throw std::runtime_error("no"); }),
      std::runtime_error);
  CHECK(*map.get(1, [] { return std::make_shared<const int>(5); }) == 5);
}

}  // namespace
}  // namespace imago
