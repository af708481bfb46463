// This file draws spectra as SVG.
#include "formats/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "formats/png.hpp"

namespace imago::formats {
namespace {

constexpr double kWidth = 960, kLeft = 74, kTop = 68, kBottom = 72;
constexpr double kCurveRange = 120;  // decibels shown at most
// Okabe and Ito's colours, told apart by colour-blind people too.
constexpr std::array<const char*, 4> kCurveColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

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

/// The most that an image needs to look sharp on a screen.
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

std::string draw_colour_bar(const Frame& bar, const Axis& level) {
  std::vector<std::uint8_t> pixels(256);
  for (std::size_t i = 0; i < 256; ++i) pixels[i] = static_cast<std::uint8_t>(255 - i);
  std::string svg = fmt::format(
      "<image x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
      "preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64,{}\"/>\n",
      bar.left, bar.top, bar.width, bar.height, base64(png(1, 256, pixels, palette())));
  for (const double value : ticks(level.low, level.high, kLevelTicks)) {
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
  const Axis level = extremes.axis(kCurveRange, picture.level_title);
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
  std::string svg = open_svg(page.width, page.height, picture.title, picture.subtitle);
  svg += draw_colour_bar(page.bar, level);
  for (std::size_t i = 0; i < page.panels.size(); ++i) {
    const Frame& frame = page.panels[i];
    svg += image(frame, level, picture.panels[i]) + draw_y_axis(frame, picture.frequency, false);
    svg += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", frame.left, frame.top - 8,
                       escape(picture.panels[i].name));
  }
  svg += draw_footer(page.width, page.height, picture.footer);
  return svg + draw_x_axis(page.panels.back(), picture.time, false) + "</svg>\n";
}

}  // namespace imago::formats
