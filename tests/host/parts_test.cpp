// This file checks the parts of host plans without a device: sub-arrays of host memory, the work
// queue, the division of batches.
#include <numeric>
#include <stdexcept>
#include <thread>

#include <imago/error.hpp>

#include "host/box.hpp"
#include "host/shares.hpp"
#include "host/work_list.hpp"
#include "support/catch.hpp"

namespace imago::host {
namespace {

TEST_CASE("boxes are gathered and scattered in any parts", "[host][box]") {
  const Box box{5, 3, {{2, 50}, {4, 10}}};
  REQUIRE(box.bytes() == 24);
  CHECK(!box.is_span());
  CHECK(Box{1, 7}.is_span());
  std::vector<char> array(100), expected;
  std::iota(array.begin(), array.end(), char{0});
  for (const int slow : {0, 1}) {
    for (int fast = 0; fast < 4; ++fast) {
      for (int i = 0; i < 3; ++i)
        expected.push_back(static_cast<char>(5 + 50 * slow + 10 * fast + i));
    }
  }
  for (const std::size_t part : {1, 2, 3, 5, 24}) {
    std::vector<char> image(24), back(100, char{-1});
    for (std::size_t at = 0; at < 24; at += part) {
      const std::size_t bytes = std::min(part, 24 - at);
      gather(box, array.data(), at, bytes, &image[at]);
      scatter(box, back.data(), at, bytes, &image[at]);
    }
    CHECK(image == expected);
    for (std::size_t i = 0; i < back.size(); ++i) {
      const bool inside = std::find(expected.begin(), expected.end(), array[i]) != expected.end();
      CHECK(back[i] == (inside ? array[i] : char{-1}));
    }
  }
}

TEST_CASE("pieces go to the device that is free, each once", "[host][work]") {
  WorkList work_list(5, 2, 0, {});
  std::vector<std::size_t> taken;
  for (const std::size_t device : {0, 1, 1, 0, 1}) taken.push_back(*work_list.take(device));
  CHECK(taken == std::vector<std::size_t>{0, 1, 2, 3, 4});
  CHECK(!work_list.take(0));
  for (const std::size_t device : {0, 1, 1, 0, 1}) work_list.complete(device);
  CHECK_NOTHROW(work_list.conclude());
}

TEST_CASE("a slow device leaves the last pieces to the others", "[host][work]") {
  WorkList work_list(20, 2, 0, {});
  for (int i = 0; i < 10; ++i) {
    REQUIRE(work_list.take(0));
    work_list.complete(0);
  }
  REQUIRE(work_list.take(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  work_list.complete(1);  // a piece of device 0 took much less time
  for (int i = 0; i < 5; ++i) {
    REQUIRE(work_list.take(0));
    work_list.complete(0);
  }
  CHECK(!work_list.take(1));
  while (work_list.take(0)) work_list.complete(0);
  CHECK_NOTHROW(work_list.conclude());
}

TEST_CASE("devices as fast as each other leave nothing behind", "[host][work]") {
  for (const std::size_t devices : {1, 2, 3, 5}) {
    WorkList work_list(7, devices, 0, {});
    std::size_t taken = 0;
    for (bool any = true; any;) {
      any = false;
      for (std::size_t device = 0; device < devices; ++device) {
        if (!work_list.take(device)) continue;
        any = true;
        ++taken;
        work_list.complete(device);
      }
    }
    CHECK(taken == 7);
    CHECK_NOTHROW(work_list.conclude());
  }
}

TEST_CASE("the fastest device takes the last piece", "[host][work]") {
  WorkList work_list(4, 3, 0, {});
  for (const std::size_t device : {0, 1, 2}) REQUIRE(work_list.take(device));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  work_list.complete(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  work_list.complete(1);
  work_list.complete(2);
  CHECK(work_list.take(0));  // the others together are faster, but neither of them is
}

TEST_CASE("a work list ends at the first failure, and when it is stopped", "[host][work]") {
  WorkList failing(5, 1, 8, {});
  CHECK(failing.take(0));
  failing.fail(std::make_exception_ptr(std::runtime_error("first")));
  failing.fail(std::make_exception_ptr(std::logic_error("second")));
  CHECK(failing.over());
  CHECK(!failing.take(0));
  CHECK_THROWS_AS(failing.conclude(), std::runtime_error);

  std::stop_source source;
  WorkList stopping(5, 1, 8, source.get_token());
  CHECK(stopping.take(0));
  source.request_stop();
  CHECK(!stopping.take(0));
  CHECK_THROWS_AS(stopping.conclude(), Stopped);
}

std::exception_ptr lost() { return std::make_exception_ptr(std::runtime_error("lost")); }

TEST_CASE("pieces of a lost device go to the others", "[host][work]") {
  WorkList work_list(3, 2, 30, {});
  REQUIRE(*work_list.take(0) == 0);
  REQUIRE(*work_list.take(1) == 1);
  work_list.moved(0, 7);
  work_list.lose(0, {{0}, false, lost()});
  CHECK(work_list.loss_of(0));
  CHECK(!work_list.loss_of(1));
  CHECK(!work_list.take(0));
  work_list.moved(1, 10);
  work_list.complete(1);
  CHECK(*work_list.take(1) == 0);
  work_list.moved(0, 10);
  work_list.complete(1);
  CHECK(*work_list.take(1) == 2);
  work_list.moved(2, 10);
  work_list.complete(1);
  CHECK(!work_list.resume());
  CHECK_NOTHROW(work_list.conclude());
}

TEST_CASE("bytes that a lost device had copied do not count as progress", "[host][work]") {
  WorkList work_list(1, 2, 10, {});
  REQUIRE(work_list.take(0));
  work_list.moved(0, 10);
  work_list.lose(0, {{0}, false, lost()});
  double share = 1;
  std::jthread worker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    work_list.leave();
  });
  work_list.wait(1, [&](double done) { share = done; });
  CHECK(share == 0);
}

TEST_CASE("a piece that comes back when the others are gone is taken once more", "[host][work]") {
  WorkList work_list(2, 2, 0, {});
  REQUIRE(work_list.take(0));
  REQUIRE(work_list.take(1));
  work_list.complete(1);
  CHECK(!work_list.take(1));
  work_list.lose(0, {{0}, false, lost()});
  CHECK(work_list.resume());
  CHECK(!work_list.take(0));
  CHECK(*work_list.take(1) == 0);
  CHECK_THROWS_AS(work_list.conclude(), std::logic_error);
  work_list.complete(1);
  CHECK_NOTHROW(work_list.conclude());
}

TEST_CASE("a work list fails if no device is left, or a piece cannot be done again",
          "[host][work]") {
  WorkList alone(2, 2, 0, {});
  alone.lose(1, {{}, false, lost()});
  CHECK(!alone.over());
  CHECK(*alone.take(0) == 0);
  alone.lose(0, {{0}, false, std::make_exception_ptr(std::logic_error("the last"))});
  CHECK(alone.over());
  CHECK(!alone.resume());
  CHECK_THROWS_AS(alone.conclude(), std::logic_error);

  WorkList overwritten(2, 2, 0, {});
  REQUIRE(overwritten.take(0));
  overwritten.lose(0, {{0}, true, lost()});
  CHECK(!overwritten.take(1));
  CHECK_THROWS_AS(overwritten.conclude(), std::runtime_error);
}

TEST_CASE("a batch is divided by speed", "[host][shares]") {
  using Shares = std::vector<std::size_t>;
  CHECK(shares(100, {1, 1}) == Shares{50, 50});
  CHECK(shares(1000, {1.02, 1, 0.98, 1.01}) == Shares{250, 250, 250, 250});
  CHECK(shares(100, {3, 1}) == Shares{75, 25});
  CHECK(shares(100, {1, 1000}) == Shares{0, 100});
  CHECK(shares(1, {1, 1}) == Shares{1, 0});
  CHECK(shares(7, {5}) == Shares{7});
  CHECK(shares(7, {2, 0, 2}) == Shares{4, 0, 3});
  CHECK(shares(7, {2, 2, 0}) == Shares{4, 3, 0});
}

}  // namespace
}  // namespace imago::host
