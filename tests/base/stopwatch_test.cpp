// This file checks the ends of waits.
#include "base/stopwatch.hpp"

#include "support/catch.hpp"

namespace imago {
namespace {

using std::chrono::milliseconds;

TEST_CASE("a wait of any length has an end that a clock can count", "[base]") {
  const auto away = [](milliseconds most) {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration_cast<milliseconds>(base::end_of_wait(most) - now);
  };
  CHECK(away(milliseconds(50)) >= milliseconds(50));
  CHECK(away(milliseconds(50)) < std::chrono::minutes(1));
  constexpr auto kYear = std::chrono::hours(365 * 24);
  for (const milliseconds most : {milliseconds::max(), milliseconds(300 * kYear)})
    CHECK(away(most) >= milliseconds(kYear));
  for (const milliseconds none : {milliseconds::min(), milliseconds(-1), milliseconds(0)})
    CHECK(away(none) < std::chrono::minutes(1));
}

}  // namespace
}  // namespace imago
