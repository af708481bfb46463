// This file draws spectra as SVG.
#include "formats/picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

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

std::string image(const Frame& frame, const Axis& level, const SpectrogramPicture& picture,
                  const Panel& panel) {
  const Pixels shown = picture.pixels_of(panel, level, kImageColumns, kImageRows);
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

Axis SpectrogramPicture::level() const {
  return range ? Axis{range->first, range->second, level_title} : colour_axis(panels, level_title);
}

Axis SpectrogramPicture::upwards() const {
  if (!waterfall) return frequency;
  Axis axis = time;
  std::swap(axis.low, axis.high);
  return axis;
}

Pixels SpectrogramPicture::pixels_of(const Panel& panel, const Axis& level, std::size_t columns,
                                     std::size_t rows) const {
  if (!waterfall) return pixels(panel, level, columns, rows);
  const Pixels turned = pixels(panel, level, rows, columns);
  Pixels image{turned.height, turned.width, std::vector<std::uint8_t>(turned.indices.size())};
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t x = 0; x < image.width; ++x)
      image.indices[y * image.width + x] = turned.indices[(image.width - 1 - x) * turned.width + y];
  return image;
}

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
  constexpr double kHeadroom = 3;  // decibels below the lowest value, so that noise is seen whole
  panel.y = extremes.axis(kCurveRange, picture.level_title, kHeadroom);
  if (picture.range) panel.y = {picture.range->first, picture.range->second, picture.level_title};
  panel.labels = picture.labels;
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
  if (picture.waterfall) std::swap(columns, rows);
  const bool reduced = decibels.size() > columns || decibels.at(0).size() > 2 * rows;
  return picture.captions.footer + (reduced ? "; a pixel shows the largest of its values" : "");
}

SpectrogramPage page_of(const SpectrogramPicture& picture) {
  const std::size_t count = picture.panels.size();
  const double height = (count == 1 ? 354 : 220) * (picture.waterfall ? 1.5 : 1), gap = 26,
               top = kTop + 8;
  const double all = static_cast<double>(count) * (height + gap) - gap;
  SpectrogramPage page{kWidth, top + all + kBottom, {}, {kWidth - 62, top, 12, all}};
  for (std::size_t i = 0; i < count; ++i)
    page.panels.push_back(
        {kLeft, top + static_cast<double>(i) * (height + gap), kWidth - kLeft - 84, height});
  return page;
}

std::string draw(const SpectrogramPicture& picture) {
  const SpectrogramPage page = page_of(picture);
  const Axis level = picture.level();
  std::string svg =
      charts::open_svg(page.width, page.height, picture.captions.title, picture.captions.subtitle);
  svg += draw_colour_bar(page.bar, level, picture.panels);
  for (std::size_t i = 0; i < page.panels.size(); ++i) {
    const Frame& frame = page.panels[i];
    svg += image(frame, level, picture, picture.panels[i]) +
           charts::draw_y_axis(frame, picture.upwards(), false);
    svg += charts::draw_text(frame.left, frame.top - 8, picture.panels[i].name);
  }
  svg +=
      charts::draw_footer(page.width, page.height, footer_of(picture, kImageColumns, kImageRows));
  return svg + charts::draw_x_axis(page.panels.back(), picture.across(), false) + "</svg>\n";
}

}  // namespace imago::formats
