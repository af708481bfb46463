// This file draws spectra as SVG.
#include "formats/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "formats/png.hpp"

namespace imago::formats {
namespace {

constexpr double kWidth = 960, kLeft = 74, kTop = 68, kBottom = 72;
constexpr double kCurveRange = 120, kColourRange = 80;  // decibels shown at most
// Okabe and Ito's colours, told apart by colour-blind people too.
constexpr std::array<const char*, 4> kCurveColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

/// An axis of round numbers that shows `highest` and at most `range` below.
Axis level_axis(double lowest, double highest, double range, const std::string& title) {
  const double high = std::ceil((highest - 0.5) / 10) * 10;  // a little above 0 is still 0
  const double low = std::max(std::floor(lowest / 10) * 10, high - range);
  return {std::min(low, high - 10), high, title};
}

/// The extremes of all finite values (silence has none).
struct Extremes {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(const std::vector<double>& values) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  bool empty() const { return low > high; }
};

Axis level_axis(const Extremes& extremes, double range, const std::string& title) {
  return extremes.empty() ? Axis{-range, 0, title}
                          : level_axis(extremes.low, extremes.high, range, title);
}

/// A point per value, or per pixel where there are more values than pixels.
std::string outline(const Frame& frame, const Axis& level, const std::vector<double>& values) {
  const auto pixels = static_cast<std::size_t>(frame.width);
  const bool dense = values.size() > 2 * pixels;
  const std::vector<double> shown = dense ? largest_per_pixel(values, pixels) : values;
  std::string path;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const double part = dense ? (static_cast<double>(i) + 0.5) / static_cast<double>(pixels)
                              : static_cast<double>(i) / static_cast<double>(shown.size() - 1);
    const double value =
        std::isnan(shown[i]) ? level.low : std::clamp(shown[i], level.low, level.high);
    path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? 'M' : 'L',
                        frame.left + frame.width * part, frame.y(level, value));
  }
  return path;
}

std::string draw_curve(const Frame& frame, const Axis& level, const Curve& curve, bool only,
                       const char* colour) {
  const std::string path = outline(frame, level, curve.decibels);
  std::string svg;
  if (only) {  // shade what lies below; several curves would hide each other
    svg += fmt::format("<path d=\"{}V{:.2f}H{:.2f}Z\" fill=\"{}\" fill-opacity=\"0.13\"/>\n", path,
                       frame.top + frame.height, frame.left, colour);
  }
  return svg + fmt::format(
                   "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.1\" "
                   "stroke-linejoin=\"round\"/>\n",
                   path, colour);
}

std::string draw_legend(const Frame& frame, const std::vector<Curve>& curves) {
  std::string svg;
  double x = frame.left + frame.width;
  for (std::size_t i = curves.size(); i-- > 0;) {  // from the right
    x -= 7.0 * static_cast<double>(curves[i].name.size()) + 34;
    svg += fmt::format(
        "<path d=\"M{:.1f} 26h18\" stroke=\"{}\" stroke-width=\"3\"/>"
        "<text x=\"{:.1f}\" y=\"30\">{}</text>\n",
        x, kCurveColours[i % kCurveColours.size()], x + 23, escape(curves[i].name));
  }
  return svg;
}

/// Dark to bright through blue, magenta, orange and pale yellow; the brightness grows evenly.
std::vector<Colour> palette() {
  constexpr std::array<std::array<double, 3>, 6> kStops{
      {{6, 6, 24}, {48, 18, 106}, {134, 32, 118}, {212, 62, 82}, {249, 146, 50}, {252, 248, 190}}};
  std::vector<Colour> colours(256);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const double at = static_cast<double>(i) / 255 * (kStops.size() - 1);
    const auto stop = std::min<std::size_t>(static_cast<std::size_t>(at), kStops.size() - 2);
    const double part = at - static_cast<double>(stop);
    for (std::size_t c = 0; c < 3; ++c) {
      colours[i][c] = static_cast<std::uint8_t>(
          std::lround(kStops[stop][c] + part * (kStops[stop + 1][c] - kStops[stop][c])));
    }
  }
  return colours;
}

std::uint8_t colour_index(double value, const Axis& level) {
  if (std::isnan(value)) return 0;
  const double part = (value - level.low) / (level.high - level.low);
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(part, 0.0, 1.0)));
}

/// The most that an image needs to look sharp on a screen.
constexpr std::size_t kImageColumns = 800, kImageRows = 256;

/// Moments side by side, each a column with the highest frequency at the top. Where there are more
/// moments than columns, a column shows the largest of its values; a few moments fill several
/// columns each, so that no viewer blends them.
std::string image(const Frame& frame, const Axis& level, const Panel& panel) {
  const std::size_t moments = panel.decibels.size(), height = kImageRows;
  const std::size_t repeat = 1 + kImageColumns / 2 / moments;
  const std::size_t width = std::min(moments * repeat, kImageColumns);
  std::vector<std::uint8_t> pixels(width * height);
  for (std::size_t moment = 0; moment < moments; ++moment) {
    const std::vector<double> column = largest_per_pixel(panel.decibels[moment], height);
    const std::size_t x = moment * width / moments;
    for (std::size_t y = 0; y < height; ++y) {
      const auto pixel = pixels.begin() + static_cast<std::ptrdiff_t>((height - 1 - y) * width + x);
      const std::uint8_t index = std::max(*pixel, colour_index(column[y], level));
      std::fill_n(pixel, width < moments ? 1 : repeat, index);
    }
  }
  return fmt::format(
      "<image x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
      "preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" "
      "xlink:href=\"data:image/png;base64,{}\"/>\n",
      frame.left, frame.top, frame.width, frame.height,
      base64(png(width, height, pixels, palette())));
}

std::string draw_colour_bar(const Frame& frame, const Axis& level) {
  std::vector<std::uint8_t> pixels(256);
  for (std::size_t i = 0; i < 256; ++i) pixels[i] = static_cast<std::uint8_t>(255 - i);
  const Frame bar{kWidth - 62, frame.top, 12, frame.height};
  std::string svg = fmt::format(
      "<image x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
      "preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64,{}\"/>\n",
      bar.left, bar.top, bar.width, bar.height, base64(png(1, 256, pixels, palette())));
  for (const double value : ticks(level.low, level.high, 8)) {
    svg += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{:.6g}</text>\n", bar.left + 18,
                       bar.y(level, value) + 4, value + 0.0);
  }
  return svg + fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n",
                           kWidth - 16, bar.top - 10, escape(level.title));
}

}  // namespace

std::string draw(const SpectrumPicture& picture) {
  constexpr double kPlotHeight = 354;
  const Frame frame{kLeft, kTop, kWidth - kLeft - 26, kPlotHeight};
  Extremes extremes;
  for (const Curve& curve : picture.curves) {
    extremes.add(curve.decibels.size() > 2 * static_cast<std::size_t>(frame.width)
                     ? largest_per_pixel(curve.decibels, static_cast<std::size_t>(frame.width))
                     : curve.decibels);
  }
  const Axis level = level_axis(extremes, kCurveRange, picture.level_title);
  std::string svg = open_svg(kWidth, kTop + kPlotHeight + kBottom, picture.title, picture.subtitle);
  svg += draw_x_axis(frame, picture.frequency, true) + draw_y_axis(frame, level, true);
  const bool only = picture.curves.size() == 1;
  for (std::size_t i = 0; i < picture.curves.size(); ++i) {
    svg +=
        draw_curve(frame, level, picture.curves[i], only, kCurveColours[i % kCurveColours.size()]);
  }
  if (!only) svg += draw_legend(frame, picture.curves);
  svg += draw_footer(kWidth, kTop + kPlotHeight + kBottom, picture.footer);
  return svg + "</svg>\n";
}

std::string draw(const SpectrogramPicture& picture) {
  const std::size_t count = picture.panels.size();
  const double height = count == 1 ? 354 : 220, gap = 26;
  Extremes extremes;
  for (const Panel& panel : picture.panels) {
    for (const auto& moment : panel.decibels) extremes.add(moment);
  }
  const Axis level = level_axis(extremes, kColourRange, picture.level_title);
  const double all = static_cast<double>(count) * (height + gap) - gap;
  std::string svg = open_svg(kWidth, kTop + all + kBottom + 8, picture.title, picture.subtitle);
  Frame frame{kLeft, kTop + 8, kWidth - kLeft - 84, height};
  svg += draw_colour_bar({frame.left, frame.top, frame.width, all}, level);
  for (const Panel& panel : picture.panels) {
    svg += image(frame, level, panel) + draw_y_axis(frame, picture.frequency, false);
    svg += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", frame.left, frame.top - 8,
                       escape(panel.name));
    frame.top += height + gap;
  }
  frame.top -= height + gap;
  svg += draw_footer(kWidth, kTop + all + kBottom + 8, picture.footer);
  return svg + draw_x_axis(frame, picture.time, false) + "</svg>\n";
}

}  // namespace imago::formats
