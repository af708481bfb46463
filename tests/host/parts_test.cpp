// This file checks what host plans are made of, without a device: boxes of host memory, the deal of
// pieces, the division of batches.
#include <numeric>
#include <stdexcept>
#include <thread>

#include <imago/error.hpp>

#include "host/box.hpp"
#include "host/deal.hpp"
#include "host/shares.hpp"
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

TEST_CASE("pieces are dealt to whoever is free, each once", "[host][deal]") {
  Deal deal(5, 2, 0, {});
  std::vector<std::size_t> dealt;
  for (const std::size_t device : {0, 1, 1, 0, 1}) dealt.push_back(*deal.take(device));
  CHECK(dealt == std::vector<std::size_t>{0, 1, 2, 3, 4});
  CHECK(!deal.take(0));
  for (const std::size_t device : {0, 1, 1, 0, 1}) deal.complete(device);
  CHECK_NOTHROW(deal.conclude());
}

TEST_CASE("a slow device leaves the last pieces to the others", "[host][deal]") {
  Deal deal(20, 2, 0, {});
  for (int i = 0; i < 10; ++i) {
    REQUIRE(deal.take(0));
    deal.complete(0);
  }
  REQUIRE(deal.take(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  deal.complete(1);  // a piece of device 0 took much less
  for (int i = 0; i < 5; ++i) {
    REQUIRE(deal.take(0));
    deal.complete(0);
  }
  CHECK(!deal.take(1));
  while (deal.take(0)) deal.complete(0);
  CHECK_NOTHROW(deal.conclude());
}

TEST_CASE("devices as fast as each other leave nothing behind", "[host][deal]") {
  for (const std::size_t devices : {1, 2, 3, 5}) {
    Deal deal(7, devices, 0, {});
    std::size_t dealt = 0;
    for (bool any = true; any;) {
      any = false;
      for (std::size_t device = 0; device < devices; ++device) {
        if (!deal.take(device)) continue;
        any = true;
        ++dealt;
        deal.complete(device);
      }
    }
    CHECK(dealt == 7);
    CHECK_NOTHROW(deal.conclude());
  }
}

TEST_CASE("the fastest device takes the last piece", "[host][deal]") {
  Deal deal(4, 3, 0, {});
  for (const std::size_t device : {0, 1, 2}) REQUIRE(deal.take(device));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  deal.complete(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  deal.complete(1);
  deal.complete(2);
  CHECK(deal.take(0));  // the others together are faster, but neither of them is
}

TEST_CASE("a deal ends at the first failure, and where it is stopped", "[host][deal]") {
  Deal failing(5, 1, 8, {});
  CHECK(failing.take(0));
  failing.fail(std::make_exception_ptr(std::runtime_error("first")));
  failing.fail(std::make_exception_ptr(std::logic_error("second")));
  CHECK(failing.over());
  CHECK(!failing.take(0));
  CHECK_THROWS_AS(failing.conclude(), std::runtime_error);

  std::stop_source source;
  Deal stopping(5, 1, 8, source.get_token());
  CHECK(stopping.take(0));
  source.request_stop();
  CHECK(!stopping.take(0));
  CHECK_THROWS_AS(stopping.conclude(), Stopped);
}

std::exception_ptr lost() { return std::make_exception_ptr(std::runtime_error("lost")); }

TEST_CASE("pieces of a lost device go to the others", "[host][deal]") {
  Deal deal(3, 2, 30, {});
  REQUIRE(*deal.take(0) == 0);
  REQUIRE(*deal.take(1) == 1);
  deal.moved(0, 7);
  deal.lose(0, {{0}, false, lost()});
  CHECK(deal.loss_of(0));
  CHECK(!deal.loss_of(1));
  CHECK(!deal.take(0));
  deal.moved(1, 10);
  deal.complete(1);
  CHECK(*deal.take(1) == 0);
  deal.moved(0, 10);
  deal.complete(1);
  CHECK(*deal.take(1) == 2);
  deal.moved(2, 10);
  deal.complete(1);
  CHECK(!deal.resume());
  CHECK_NOTHROW(deal.conclude());
}

TEST_CASE("what a lost device had moved does not count", "[host][deal]") {
  Deal deal(1, 2, 10, {});
  REQUIRE(deal.take(0));
  deal.moved(0, 10);
  deal.lose(0, {{0}, false, lost()});
  double share = 1;
  std::jthread worker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    deal.leave();
  });
  deal.wait(1, [&](double done) { share = done; });
  CHECK(share == 0);
}

TEST_CASE("a piece that comes back when the others are gone is dealt once more", "[host][deal]") {
  Deal deal(2, 2, 0, {});
  REQUIRE(deal.take(0));
  REQUIRE(deal.take(1));
  deal.complete(1);
  CHECK(!deal.take(1));
  deal.lose(0, {{0}, false, lost()});
  CHECK(deal.resume());
  CHECK(!deal.take(0));
  CHECK(*deal.take(1) == 0);
  CHECK_THROWS_AS(deal.conclude(), std::logic_error);
  deal.complete(1);
  CHECK_NOTHROW(deal.conclude());
}

TEST_CASE("a deal fails where no device is left, or a piece cannot be done again", "[host][deal]") {
  Deal alone(2, 2, 0, {});
  alone.lose(1, {{}, false, lost()});
  CHECK(!alone.over());
  CHECK(*alone.take(0) == 0);
  alone.lose(0, {{0}, false, std::make_exception_ptr(std::logic_error("the last"))});
  CHECK(alone.over());
  CHECK(!alone.resume());
  CHECK_THROWS_AS(alone.conclude(), std::logic_error);

  Deal spoilt(2, 2, 0, {});
  REQUIRE(spoilt.take(0));
  spoilt.lose(0, {{0}, true, lost()});
  CHECK(!spoilt.take(1));
  CHECK_THROWS_AS(spoilt.conclude(), std::runtime_error);
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
