// This file tests that charts draw exactly the given data, and that colours keep their meaning.
#include "charts/sheet.hpp"

#include <algorithm>
#include <cmath>

#include "charts/colours.hpp"
#include "support/catch.hpp"

namespace imago::charts {
namespace {

using test::ContainsSubstring;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

std::string drawn(Panel panel) {
  Sheet sheet{"title", "subtitle", "footer"};
  sheet.panels.push_back(std::move(panel));
  return draw(sheet);
}

Panel panel(Mark mark, std::vector<Point> points) {
  Panel panel{"", {0, 10, "across"}, {0, 10, "up"}};
  panel.series.push_back({"imago", mark, std::move(points)});
  return panel;
}

TEST_CASE("axes have titles, and text is safe") {
  Panel one = panel(Mark::line, {{1, 2}, {3, 4}});
  one.x.title = "a < b";
  const std::string svg = drawn(one);
  for (const char* text : {"a &lt; b", "up", "title", "subtitle", "footer"})
    CHECK_THAT(svg, ContainsSubstring(text));
  CHECK(svg.ends_with("</svg>\n"));
}

TEST_CASE("a line breaks where a value is missing") {
  const double none = std::nan("");
  const std::string svg = drawn(panel(Mark::line, {{0, 1}, {1, 2}, {2, none}, {3, 4}, {4, 5}}));
  const std::size_t line = svg.find("stroke-width=\"1.6\"");
  const std::size_t begin = svg.rfind("d=\"", line);
  CHECK(count(svg.substr(begin, line - begin), "M") == 2);
  CHECK(count(svg, "<circle") == 4);
  CHECK(svg.find("nan") == std::string::npos);
}

TEST_CASE("values outside of the axis are left out and counted") {
  const std::string svg = drawn(panel(Mark::dots, {{1, 5}, {2, -1}, {3, -HUGE_VAL}, {4, 11}}));
  CHECK(count(svg, "<circle") == 1);
  CHECK_THAT(svg, ContainsSubstring("2 of 4 values lie below the axis"));
  CHECK(drawn(panel(Mark::dots, {{1, 5}})).find("below") == std::string::npos);
  CHECK_THAT(drawn(panel(Mark::dots, {{1, -5}})), ContainsSubstring("every value lies below"));
}

TEST_CASE("intervals are drawn where they are known") {
  CHECK(count(drawn(panel(Mark::dots, {{1, 5, 4, 6}, {2, 5}})), "h6") == 2);
  CHECK(count(drawn(panel(Mark::dots, {{1, 5}, {2, 5}})), "h6") == 0);
}

TEST_CASE("stems are not joined by lines") {
  const std::string svg = drawn(panel(Mark::stems, {{1, 5}, {8, 3}}));
  const std::size_t line = svg.find("stroke-width=\"1.2\"");
  const std::size_t begin = svg.rfind("d=\"", line);
  CHECK(count(svg.substr(begin, line - begin), "M") == 2);  // nothing joins them
  CHECK(count(svg.substr(begin, line - begin), "L") == 0);
}

TEST_CASE("bars begin at the reference, and names replace numbers") {
  Panel one = panel(Mark::bars, {{0, 5}, {1, 2}});
  one.x = {-0.5, 1.5, "", Scale::linear, {"a<b", "second"}};
  one.reference = 4;
  const std::string svg = drawn(one);
  CHECK(count(svg, "<rect") == 4);  // background, frame, bars
  CHECK_THAT(svg, ContainsSubstring(">a&lt;b</text>"));
  CHECK_THAT(svg, ContainsSubstring(">second</text>"));
  CHECK(svg.find(">0.5<") == std::string::npos);
}

TEST_CASE("axes hold values, intervals and the reference") {
  Panel one = panel(Mark::line, {{4, 3, 2, 45}, {64, 8}});
  fit_x(one, "x", Scale::powers_of_two);
  fit_y(one, "y", Scale::linear);
  CHECK(one.x.low == 4);
  CHECK(one.x.high == 64);
  CHECK(one.y.high == 50);
  one.reference = 101;
  fit_y(one, "y", Scale::linear);
  CHECK(one.y.high >= 101);
  one = panel(Mark::line, {{4, 3, -2, 45}, {64, 800}});
  fit_y(one, "y", Scale::powers_of_ten);  // a scale that cannot show -2
  CHECK(one.y.low == test::Approx(1));
  CHECK(one.y.high == test::Approx(1000));
}

TEST_CASE("an engine has one colour in every picture") {
  Colours first, second;
  CHECK(first.of("left") == second.of("right"));  // names without a meaning get colours in turn
  CHECK(first.of("left") != first.of("right"));
  CHECK(first.of("imago") == second.of("imago"));
  const std::vector<std::string> engines{"imago", "fftw",  "clfft",    "vkfft", "cufft",
                                         "mkl",   "phase", "verified", "voting"};
  for (const auto& a : engines)
    for (const auto& b : engines) CHECK((a == b || first.of(a) != first.of(b)));
}

TEST_CASE("a name without a meaning does not take the colour of one that has it") {
  Colours colours;
  const auto imago = colours.of("imago"), other = colours.of("a new engine");
  CHECK(imago != other);
  CHECK(colours.of("a new engine") == other);
  for (int i = 0; i < 20; ++i) CHECK(!colours.of("name " + std::to_string(i)).empty());
}

TEST_CASE("legends have the names that libraries use") {
  CHECK(label_of("cufft") == "cuFFT");
  CHECK(label_of("copy") == "Memory copy");
  CHECK(label_of("copy, limit") == "Memory copy (upper limit)");
  CHECK(label_of("a device") == "a device");
}

TEST_CASE("the legend has each name once, and a lone name none") {
  Sheet sheet{"", "", ""};
  for (int i = 0; i < 2; ++i) {
    sheet.panels.push_back(panel(Mark::line, {{1, 2}, {2, 3}}));
    series_of(sheet.panels.back(), "fftw").points.push_back({1, 1});
    series_of(sheet.panels.back(), "imago", Mark::dots).points.push_back({1, 1});
  }
  const std::string svg = draw(sheet);
  CHECK(count(svg, ">imago<") == 1);
  CHECK(count(svg, ">FFTW<") == 1);
  CHECK(count(drawn(panel(Mark::line, {{1, 2}})), ">imago<") == 0);
}

}  // namespace
}  // namespace imago::charts
