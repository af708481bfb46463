// This file tests pictures of spectra: PNG, the texts, and values that are not drawn.
#include "formats/picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <png.h>

#include "formats/png.hpp"
#include "support/catch.hpp"

namespace imago::formats {
namespace {

using test::ContainsSubstring;

TEST_CASE("base64 as RFC 4648 has it") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("a PNG holds its pixels, and no more bytes than they need") {
  const std::vector<Colour> palette{{0, 0, 0}, {255, 0, 0}, {1, 2, 3}};
  std::vector<std::uint8_t> pixels(1000 * 100);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i % 3);
  const std::string bytes = png(1000, 100, pixels, palette);
  CHECK(bytes.size() < pixels.size() / 10);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) != 0);
  CHECK(image.width == 1000);
  CHECK(image.height == 100);
  image.format = PNG_FORMAT_RGB;
  std::vector<Colour> read(pixels.size());
  REQUIRE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr) != 0);
  for (std::size_t i = 0; i < pixels.size(); i += 997) CHECK(read[i] == palette[pixels[i]]);
  CHECK_THROWS_AS(png(0, 0, {}, palette), FormatError);
}

TEST_CASE("a spectrum's picture names its axes, and its curve stays inside") {
  SpectrumPicture picture;
  picture.captions.title = "a & b";
  picture.frequency = {0, 24, "Frequency (kHz)"};
  picture.level_title = "Amplitude (dBFS)";
  picture.curves.push_back({"left", {-20, -40, -std::numeric_limits<double>::infinity(), -60}});
  picture.curves.push_back({"right", {-30, std::nan(""), -50, -70}});
  const std::string svg = draw(picture);
  CHECK_THAT(svg, ContainsSubstring("a &amp; b"));
  CHECK_THAT(svg, ContainsSubstring("Frequency (kHz)"));
  CHECK_THAT(svg, ContainsSubstring("Amplitude (dBFS)"));
  CHECK_THAT(svg, ContainsSubstring("left"));
  CHECK_THAT(svg, !ContainsSubstring("nan"));
  CHECK_THAT(svg, !ContainsSubstring("inf"));
  CHECK(svg.ends_with("</svg>\n"));
}

TEST_CASE("values below the axis are counted, and not drawn at its end") {
  SpectrumPicture picture;
  picture.frequency = {0, 1, ""};
  picture.curves.push_back({"", {0, -10, -300, -300, -310, -20}});
  const std::string svg = draw(picture);
  CHECK_THAT(svg, ContainsSubstring("3 of 6 values lie below the axis"));
  // The line leaves the frame and returns: two parts with nothing between.
  const std::size_t line = svg.find("stroke-width=\"1.1\"");
  const std::string path = svg.substr(svg.rfind("d=\"", line), line - svg.rfind("d=\"", line));
  CHECK(std::count(path.begin(), path.end(), 'M') == 2);
  CHECK(std::count(path.begin(), path.end(), 'L') == 3);
}

TEST_CASE("a little above 0 dB is not cut off") {
  Extremes extremes;
  const std::vector<double> values{0.13, -40};
  extremes.add(values);
  CHECK(extremes.axis(120, "").high == 10);
}

TEST_CASE("the colours' scale says that it ends where levels do not") {
  const std::vector<Panel> panels{{"", {{0, -30}, {-200, -60}}}};
  const auto ticks = colour_ticks(panels, colour_axis(panels, ""));
  CHECK(ticks.front() == std::pair<double, std::string>(-80, "≤ -80"));
  CHECK(ticks.back().second == "0");
  const std::vector<Panel> all{{"", {{0, -30}, {-20, -60}}}};
  CHECK(colour_ticks(all, colour_axis(all, "")).front().second == "-60");
}

TEST_CASE("pixels without a level are grey, and silence has the darkest colour") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Panel panel{"", {{0, -80}, {std::nan(""), -infinity}, {infinity, -200}}};
  const Pixels image = pixels(panel, {-80, 0, ""}, 3, 2);
  REQUIRE(image.width == 3);
  const std::vector<std::uint8_t> low{0, 0, 0}, high{kNoLevel - 1, kNoLevel, kNoLevel};
  CHECK(std::vector<std::uint8_t>(image.indices.begin(), image.indices.begin() + 3) == low);
  CHECK(std::vector<std::uint8_t>(image.indices.begin() + 3, image.indices.end()) == high);
  const Colour grey = palette().at(kNoLevel);
  CHECK((grey[0] == grey[1] && grey[1] == grey[2]));
  // If one of two moments in a column has no level, the gap stays visible.
  CHECK(pixels(panel, {-80, 0, ""}, 1, 2).indices.at(1) == kNoLevel);
}

TEST_CASE("a picture of many values says that pixels show the largest") {
  SpectrumPicture picture;
  picture.frequency = {0, 1, ""};
  picture.curves.push_back({"", std::vector<double>(8600, -20.0)});
  CHECK_THAT(draw(picture), ContainsSubstring("a pixel shows the largest of 10 values"));
}

TEST_CASE("axes have ticks at both ends, and labels stand at peaks") {
  SpectrumPicture picture;
  picture.frequency = {0.137, 2.989, "Frequency (kHz)", charts::Scale::linear, {}, true};
  picture.level_title = "Amplitude (dBFS)";
  picture.curves.push_back({"", {-20, -40, -58, -59.3}});
  picture.labels = {{0.137, -20, "137.0 Hz"}, {0.14, -21, "140.0 Hz"}, {2.989, -59.3, "2989.0 Hz"}};
  const std::string svg = draw(picture);
  for (const char* text : {">0.14<", ">2.99<", ">1<", ">2<", ">137.0 Hz<", ">2989.0 Hz<"})
    CHECK_THAT(svg, ContainsSubstring(text));
  CHECK_THAT(svg, !ContainsSubstring("140.0 Hz"));  // it would cover another label
  CHECK_THAT(svg, !ContainsSubstring(">3<"));
  CHECK_THAT(svg, ContainsSubstring(">-70<"));  // below the noise
  picture.range = {-50, -10};
  CHECK_THAT(draw(picture), !ContainsSubstring(">-70<"));
  CHECK_THAT(draw(picture), ContainsSubstring("2 of 4 values lie below the axis"));
}

TEST_CASE("time runs downwards in a waterfall") {
  SpectrogramPicture picture;
  picture.time = {5, 8, "Time (s)", charts::Scale::linear, {}, true};
  picture.frequency = {100, 102, "Frequency (MHz)", charts::Scale::linear, {}, true};
  picture.panels.push_back({"", {{0, -80}, {-80, -80}, {-80, 0}}});
  picture.range = {-80, 0};
  const Axis level = picture.level();
  CHECK(picture.pixels_of(picture.panels[0], level, 3, 2).indices ==
        std::vector<std::uint8_t>{0, 0, kNoLevel - 1, kNoLevel - 1, 0, 0});
  picture.waterfall = true;
  const Pixels image = picture.pixels_of(picture.panels[0], level, 2, 3);
  CHECK(image.width == 2);
  CHECK(image.height == 3);
  CHECK(image.indices == std::vector<std::uint8_t>{kNoLevel - 1, 0, 0, 0, 0, kNoLevel - 1});
  const Axis down = picture.upwards();
  CHECK((down.low == 8 && down.high == 5));
  const charts::Frame frame{0, 0, 100, 300};
  CHECK(frame.y(down, 5) == 0);
  CHECK(frame.y(down, 8) == 300);
  CHECK(charts::y_ticks(frame, down).front() == 5);
  CHECK(charts::y_ticks(frame, down).back() == 8);
}

TEST_CASE("silence can be drawn") {
  const double none = -std::numeric_limits<double>::infinity();
  SpectrumPicture curve;
  curve.frequency = {0, 1, ""};
  curve.curves.push_back({"", {none, none}});
  CHECK_THAT(draw(curve), !ContainsSubstring("inf"));
  CHECK_THAT(draw(curve), ContainsSubstring("every value lies below the axis"));
  SpectrogramPicture moment;
  moment.time = moment.frequency = {0, 1, ""};
  moment.panels.push_back({"", {{none, none}}});
  CHECK_THAT(draw(moment), !ContainsSubstring("inf"));
}

}  // namespace
}  // namespace imago::formats
