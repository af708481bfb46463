// This file tests that properties of devices are found once.
#include "runtime/laboratory.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/errors.hpp"
#include "support/catch.hpp"

namespace imago::runtime {
namespace {

base::Digest key_of(const char* what) { return base::Hasher().field(what).digest(); }

TEST_CASE("a property is found once, by one of several threads", "[runtime]") {
  const DiskCache nowhere;
  std::atomic<int> finds = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const auto found = found_once(key_of("once"), nowhere, "cannot find it", [&] {
        ++finds;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return Bytes("7");
      });
      CHECK(found == "7");
    });
  threads.clear();
  CHECK(finds == 1);
}

TEST_CASE("a property that is not accepted is found again, and a failure is not kept",
          "[runtime]") {
  const DiskCache nowhere;
  const auto key = key_of("again");
  const auto is_large = [](const Bytes& bytes) { return bytes.size() > 1; };
  CHECK(found_once(key, nowhere, "cannot", [] { return Bytes("1"); }) == "1");
  CHECK(found_once(key, nowhere, "cannot", [] { return Bytes("22"); }) == "1");
  CHECK(found_once(
            key, nowhere, "cannot", [] { return Bytes("22"); }, is_large) == "22");
  const auto other = key_of("failing");
  const auto fails = []() -> Bytes { base::unsupported("it", "try again"); };
  CHECK(!found_once(other, nowhere, "cannot find it", fails));
  CHECK(found_once(other, nowhere, "cannot find it", [] { return Bytes("3"); }) == "3");
}

}  // namespace
}  // namespace imago::runtime
