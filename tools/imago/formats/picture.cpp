// This file draws spectra as SVG.
#include "formats/picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "charts/sheet.hpp"
#include "charts/svg.hpp"
#include "formats/png.hpp"

namespace imago::formats {
namespace {

using charts::Frame;

constexpr double kWidth = 960, kLeft = 74, kTop = 68, kBottom = 72;
constexpr double kCurveRange = 120;   // maximum range of decibels
constexpr std::size_t kPixels = 860;  // width of a curve

/// If a panel has more values than pixels, returns the largest value of each pixel.
std::vector<charts::Point> points_of(const Axis& frequency, const std::vector<double>& values) {
  const bool reduced = values.size() > 2 * kPixels;
  const std::vector<double> shown = reduced ? charts::largest_per_pixel(values, kPixels) : values;
  std::vector<charts::Point> points;
  points.reserve(shown.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const double part = reduced ? (static_cast<double>(i) + 0.5) / kPixels
                                : static_cast<double>(i) / static_cast<double>(shown.size() - 1);
    points.push_back({frequency.low + part * (frequency.high - frequency.low), shown[i]});
  }
  return points;
}

std::string reduced_text(std::size_t values, std::size_t pixels) {
  return fmt::format("; a pixel shows the largest of {:.0f} values",
                     std::ceil(static_cast<double>(values) / static_cast<double>(pixels)));
}

/// Maximum size at which an image looks sharp on a screen.
constexpr std::size_t kImageColumns = 800, kImageRows = 256;

std::string image(const Frame& frame, const Axis& level, const Panel& panel) {
  const Pixels shown = pixels(panel, level, kImageColumns, kImageRows);
  return fmt::format(
      "<image x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
      "preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" "
      "xlink:href=\"data:image/png;base64,{}\"/>\n",
      frame.left, frame.top, frame.width, frame.height,
      base64(png(shown.width, shown.height, shown.indices, palette())));
}

std::string draw_colour_bar(const Frame& bar, const Axis& level, const std::vector<Panel>& panels) {
  const std::vector<std::uint8_t> pixels = all_levels();
  std::string svg = fmt::format(
      "<image x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
      "preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64,{}\"/>\n",
      bar.left, bar.top, bar.width, bar.height, base64(png(1, pixels.size(), pixels, palette())));
  for (const auto& [value, text] : colour_ticks(panels, level))
    svg += charts::draw_text(bar.left + 18, bar.y(level, value) + 4, text);
  return svg + charts::draw_text(kWidth - 16, bar.top - 10, level.title, charts::Anchor::end);
}

}  // namespace

std::string draw(const SpectrumPicture& picture) {
  charts::Panel panel{"", picture.frequency, {}};
  Extremes extremes;
  const bool only = picture.curves.size() == 1;
  for (const Curve& curve : picture.curves) {
    charts::Series series{curve.name, only ? charts::Mark::shaded : charts::Mark::curve,
                          points_of(picture.frequency, curve.decibels)};
    for (const charts::Point& point : series.points) extremes.add(std::span(&point.y, 1));
    panel.series.push_back(std::move(series));
  }
  panel.y = extremes.axis(kCurveRange, picture.level_title);
  const std::size_t values = picture.curves.at(0).decibels.size();
  const auto& [title, subtitle, footer] = picture.captions;
  charts::Sheet sheet{title, subtitle, footer, {std::move(panel)}};
  if (values > 2 * kPixels) sheet.footer += reduced_text(values, kPixels);
  sheet.panel_width = kWidth;
  sheet.panel_height = 420;
  return charts::draw(sheet);
}

std::string footer_of(const SpectrogramPicture& picture, std::size_t columns, std::size_t rows) {
  const auto& decibels = picture.panels.at(0).decibels;
  const bool reduced = decibels.size() > columns || decibels.at(0).size() > 2 * rows;
  return picture.captions.footer + (reduced ? "; a pixel shows the largest of its values" : "");
}

SpectrogramPage page_of(const SpectrogramPicture& picture) {
  const std::size_t count = picture.panels.size();
  const double height = count == 1 ? 354 : 220, gap = 26, top = kTop + 8;
  const double all = static_cast<double>(count) * (height + gap) - gap;
  SpectrogramPage page{kWidth, top + all + kBottom, {}, {kWidth - 62, top, 12, all}};
  for (std::size_t i = 0; i < count; ++i)
    page.panels.push_back(
        {kLeft, top + static_cast<double>(i) * (height + gap), kWidth - kLeft - 84, height});
  return page;
}

std::string draw(const SpectrogramPicture& picture) {
  const SpectrogramPage page = page_of(picture);
  const Axis level = colour_axis(picture.panels, picture.level_title);
  std::string svg =
      charts::open_svg(page.width, page.height, picture.captions.title, picture.captions.subtitle);
  svg += draw_colour_bar(page.bar, level, picture.panels);
  for (std::size_t i = 0; i < page.panels.size(); ++i) {
    const Frame& frame = page.panels[i];
    svg += image(frame, level, picture.panels[i]) +
           charts::draw_y_axis(frame, picture.frequency, false);
    svg += charts::draw_text(frame.left, frame.top - 8, picture.panels[i].name);
  }
  svg +=
      charts::draw_footer(page.width, page.height, footer_of(picture, kImageColumns, kImageRows));
  return svg + charts::draw_x_axis(page.panels.back(), picture.time, false) + "</svg>\n";
}

}  // namespace imago::formats
