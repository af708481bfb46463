// This file tests axes: round ticks, their numbers, the positions of values, the reduction to
// pixels, and escaped text.
#include "charts/axis.hpp"

#include <algorithm>
#include <cmath>

#include "charts/svg.hpp"
#include "support/catch.hpp"

namespace imago::charts {
namespace {

using test::Approx;

TEST_CASE("ticks are round, inside and not too many") {
  CHECK(ticks(0, 24, 8) == std::vector<double>{0, 5, 10, 15, 20});
  CHECK(ticks(0, 1, 5).size() == 6);  // both ends
  CHECK(ticks(-120, 0, 9).front() == -120);
  CHECK(ticks(-120, 0, 9).back() == 0);
  for (const double scale : {1e-6, 0.3, 1.0, 7.7, 44100.0}) {
    const auto found = ticks(-scale / 3, scale, 8);
    CHECK(found.size() >= 3);
    CHECK(found.size() <= 10);
    CHECK(found.front() >= -scale / 3 * (1 + 1e-6));
    CHECK(found.back() <= scale * (1 + 1e-6));
  }
}

TEST_CASE("no peak is lost when values become pixels") {
  std::vector<double> values(1000, -90.0);
  for (const std::size_t at : {0u, 1u, 499u, 777u, 999u}) {
    values[at] = 0;
    const auto pixels = largest_per_pixel(values, 97);
    const auto loud = std::find(pixels.begin(), pixels.end(), 0.0);
    REQUIRE(loud != pixels.end());
    CHECK(std::fabs((loud - pixels.begin() + 0.5) / 97 - static_cast<double>(at) / 999) < 1.0 / 97);
    values[at] = -90;
  }
}

TEST_CASE("few values are spread over many pixels") {
  const std::vector<double> values{1, 2, 3};
  const auto pixels = largest_per_pixel(values, 8);
  CHECK(pixels == std::vector<double>{1, 1, 2, 2, 2, 2, 3, 3});
}

TEST_CASE("text is safe in SVG") {
  CHECK(escape("a<b>&\"c\"") == "a&lt;b&gt;&amp;&quot;c&quot;");
  CHECK(escape("gr\xc3\xbc\xc3\x9f \xf0\x9f\x8e\xb5") == "gr\xc3\xbc\xc3\x9f \xf0\x9f\x8e\xb5");
  CHECK(escape("\xff\x01\xc3") == "\\xff\\x01\\xc3");
}

TEST_CASE("ticks of logarithmic axes are powers, and where they are few 2 and 5 times them") {
  const Axis two{1, 1024, "", Scale::powers_of_two}, ten{1e-7, 1e-4, "", Scale::powers_of_ten};
  CHECK(ticks(two, 11).size() == 11);
  CHECK(ticks(two, 6) == std::vector<double>{1, 4, 16, 64, 256, 1024});
  const auto few = ticks({1, 10, "", Scale::powers_of_ten}, 8);
  REQUIRE(few.size() == 4);
  CHECK(few[1] == Approx(2));
  CHECK(few[2] == Approx(5));
  CHECK(ticks(ten, 4).size() == 4);
}

TEST_CASE("a tick's number is short") {
  CHECK(tick_text(0.05) == "0.05");
  CHECK(tick_text(-0.0) == "0");
  CHECK(tick_text(1024, Scale::powers_of_two) == "2\u00b9\u2070");
  CHECK(tick_text(1000, Scale::powers_of_ten) == "1000");
  CHECK(tick_text(1e-7, Scale::powers_of_ten) == "10\u207b\u2077");
  CHECK(tick_text(5e4, Scale::powers_of_ten) == "5\u00b710\u2074");
  CHECK(tick_text(0.01, Scale::powers_of_ten, 1) == "10\u207b\u00b2");
  CHECK(tick_text(10, Scale::powers_of_ten, 1) == "10");
}

TEST_CASE("the numbers of one axis have one style") {
  const Frame frame{0, 0, 300, 300};
  const std::string far = draw_y_axis(frame, {1e-5, 0.01, "", Scale::powers_of_ten}, false),
                    near = draw_y_axis(frame, {1e-3, 10, "", Scale::powers_of_ten}, false);
  CHECK(far.find(">0.001<") == std::string::npos);
  CHECK(far.find(">10\u207b\u00b3<") != std::string::npos);
  CHECK(near.find(">0.001<") != std::string::npos);
}

TEST_CASE("axes that hold values end at round numbers") {
  CHECK(axis_from_zero(16.05, "").high == 20);
  CHECK(axis_from_zero(60, "").high == 60);
  CHECK(axis_from_zero(0, "").high == 1);
  const Axis powers = axis_of_powers(3, 900, "", Scale::powers_of_ten);
  CHECK(powers.low == Approx(1));
  CHECK(powers.high == Approx(1000));
  const Axis one = axis_of_powers(64, 64, "", Scale::powers_of_two);
  CHECK(one.low == Approx(64));
  CHECK(one.high == Approx(128));
}

TEST_CASE("values lie where the axis says") {
  const Frame frame{100, 50, 200, 80};
  CHECK(frame.x({0, 10, ""}, 5) == Approx(200));
  CHECK(frame.y({0, 10, ""}, 10) == Approx(50));
  CHECK(frame.x({1, 10000, "", Scale::powers_of_ten}, 100) == Approx(200));
  CHECK(frame.y({0, 10, ""}, -10) == Approx(210));
}

}  // namespace
}  // namespace imago::charts
