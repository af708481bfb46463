// This file tests the parts of pictures: ticks, the reduction to pixels, text, PNG and the SVG
// itself.
#include "formats/picture.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <png.h>

#include "formats/png.hpp"
#include "support/catch.hpp"

namespace imago::formats {
namespace {

using test::Approx;
using test::ContainsSubstring;

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
  CHECK(escape("\xff\x01\xc3") == "???");
}

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
  picture.title = "a & b";
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

TEST_CASE("silence can be drawn") {
  const double none = -std::numeric_limits<double>::infinity();
  SpectrumPicture curve;
  curve.frequency = {0, 1, ""};
  curve.curves.push_back({"", {none, none}});
  CHECK_THAT(draw(curve), !ContainsSubstring("inf"));
  SpectrogramPicture moment;
  moment.time = moment.frequency = {0, 1, ""};
  moment.panels.push_back({"", {{none, none}}});
  CHECK_THAT(draw(moment), !ContainsSubstring("inf"));
}

}  // namespace
}  // namespace imago::formats
