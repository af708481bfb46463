// This file checks that pieces of work run in parallel, once each, and that failures do not depend
// on the threads' timing.
#include "base/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace imago {
namespace {

using std::chrono::milliseconds;

/// Returns true if the condition becomes true within some seconds.
template <class Condition>
bool comes(Condition condition) {
  for (int i = 0; i < 5000 && !condition(); ++i) std::this_thread::sleep_for(milliseconds(1));
  return condition();
}

std::size_t here(std::size_t pieces) {
  return base::builders(pieces, std::thread::hardware_concurrency());
}

TEST_CASE("every piece is done once", "[base][threads]") {
  for (const std::size_t count : {0u, 1u, 2u, 100u}) {
    std::vector<std::atomic<int>> done(count);
    base::side_by_side(count, [&](std::size_t i) { ++done[i]; });
    CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
  }
}

TEST_CASE("as many threads as there are cores and pieces, and eight at most", "[base][threads]") {
  CHECK(base::builders(0, 4) == 0);
  CHECK(base::builders(3, 4) == 3);
  CHECK(base::builders(5, 4) == 4);
  CHECK(base::builders(5, 0) == 1);  // the system does not report it
  CHECK(base::builders(1000, 192) == 8);
  std::atomic<std::size_t> inside = 0, most = 0;
  base::side_by_side(40, [&](std::size_t) {
    most = std::max<std::size_t>(most, ++inside);
    std::this_thread::sleep_for(milliseconds(2));
    --inside;
  });
  CHECK(most <= here(40));
}

TEST_CASE("pieces that wait for each other are done", "[base][threads]") {
  if (here(2) < 2) return;  // one core
  std::atomic<int> begun = 0;
  std::atomic<bool> met = true;
  base::side_by_side(2, [&](std::size_t) {
    ++begun;
    if (!comes([&] { return begun == 2; })) met = false;
  });
  CHECK(met);
}

TEST_CASE("the first failure is reported, and no other piece is started", "[base][threads]") {
  const bool alone = here(2) < 2;  // then no piece runs in parallel with the first
  const std::size_t sooner = GENERATE(0u, 1u);
  CAPTURE(sooner);
  std::atomic<std::size_t> begun = 0;
  std::atomic<bool> failed = false;
  const auto work = [&](std::size_t i) {
    ++begun;
    if (i < 2 && !alone) {
      comes([&] { return i == sooner ? begun >= 2 : failed.load(); });
      std::this_thread::sleep_for(milliseconds(i == sooner ? 0 : 50));
    }
    failed = true;
    if (i < 2) throw std::runtime_error(std::to_string(i));
    std::this_thread::sleep_for(milliseconds(100));
  };
  CHECK_THROWS_WITH(base::side_by_side(1000, work), "0");
  CHECK(begun <= 2 * base::kMostBuilders);
}

}  // namespace
}  // namespace imago
