// This file draws axes and prepares values for pictures.
#include "formats/chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace imago::formats {
namespace {

/// Bytes of the UTF-8 sequence that `text` opens with; 0 where it is none. Overlong forms and
/// surrogates are let through to the viewer.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80       ? 1
                             : lead >> 5 == 6  ? 2
                             : lead >> 4 == 14 ? 3
                             : lead >> 3 == 30 ? 4
                                               : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (static_cast<unsigned char>(text[i]) >> 6 != 2) return 0;
  }
  return length;
}

constexpr double kPixelsPerXTick = 95, kPixelsPerYTick = 38;

std::size_t tick_count(double pixels, double each) {
  return std::max<std::size_t>(2, static_cast<std::size_t>(pixels / each));
}

}  // namespace

std::vector<double> ticks(double low, double high, std::size_t most) {
  const double rough = (high - low) / static_cast<double>(most);
  const double decade = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double factor : {1, 2, 5}) {
    if (factor * decade >= rough * (1 - 1e-9)) {
      step = factor * decade;
      break;
    }
  }
  std::vector<double> values;
  const double slack = 1e-9 * (high - low);
  for (double i = std::ceil((low - slack) / step); i * step <= high + slack; ++i) {
    values.push_back(i * step);
  }
  return values;
}

std::string tick_text(double value) {
  const std::string text = fmt::format("{:.6g}", value);  // steps are round: these digits are all
  return text == "-0" ? "0" : text;
}

std::vector<double> x_ticks(const Frame& frame, const Axis& axis) {
  return ticks(axis.low, axis.high, tick_count(frame.width, kPixelsPerXTick));
}
std::vector<double> y_ticks(const Frame& frame, const Axis& axis) {
  return ticks(axis.low, axis.high, tick_count(frame.height, kPixelsPerYTick));
}

std::string printable(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const char c = text[0];
    if (length == 0 || (c >= 0 && c < ' ') || c == '\x7f')
      safe += '?';
    else
      safe += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return safe;
}

std::string escape(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::vector<double> largest_per_pixel(std::span<const double> values, std::size_t pixels) {
  std::vector<double> reduced(pixels);
  const double step = static_cast<double>(values.size() - 1) / static_cast<double>(pixels);
  for (std::size_t i = 0; i < pixels; ++i) {
    const double from = static_cast<double>(i) * step, to = from + step;
    auto first = static_cast<std::size_t>(std::ceil(from));
    auto last = std::min(static_cast<std::size_t>(std::floor(to)), values.size() - 1);
    if (first > last) first = last = static_cast<std::size_t>(std::lround((from + to) / 2));
    reduced[i] = *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                                   values.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  }
  return reduced;
}

std::string open_svg(double width, double height, std::string_view title,
                     std::string_view subtitle) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#333\">\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"white\"/>\n"
      "<text x=\"24\" y=\"30\" font-size=\"17\" font-weight=\"bold\" fill=\"#111\">{2}</text>\n"
      "<text x=\"24\" y=\"49\" fill=\"#666\">{3}</text>\n",
      width, height, escape(title), escape(subtitle));
}

std::string draw_footer(double width, double height, std::string_view text) {
  return fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\" font-size=\"11\" "
      "fill=\"#888\">{}</text>\n",
      width - 24, height - 10, escape(text));
}

std::string draw_x_axis(const Frame& frame, const Axis& axis, bool grid) {
  const double bottom = frame.top + frame.height;
  std::string svg;
  for (const double value : x_ticks(frame, axis)) {
    svg += fmt::format(
        "<path d=\"M{0:.2f} {1:.2f}V{2:.2f}\" stroke=\"{3}\"/>"
        "<text x=\"{0:.2f}\" y=\"{4:.2f}\" text-anchor=\"middle\">{5}</text>\n",
        frame.x(axis, value), grid ? frame.top : bottom, bottom + 5, grid ? "#e4e4e4" : "#888",
        bottom + 19, tick_text(value));
  }
  return svg + fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
                           frame.left + frame.width / 2, bottom + 39, escape(axis.title));
}

std::string draw_y_axis(const Frame& frame, const Axis& axis, bool grid) {
  std::string svg;
  for (const double value : y_ticks(frame, axis)) {
    svg += fmt::format(
        "<path d=\"M{0:.2f} {1:.2f}H{2:.2f}\" stroke=\"{3}\"/>"
        "<text x=\"{4:.2f}\" y=\"{5:.2f}\" text-anchor=\"end\">{6}</text>\n",
        frame.left - 5, frame.y(axis, value), grid ? frame.left + frame.width : frame.left,
        grid ? "#e4e4e4" : "#888", frame.left - 9, frame.y(axis, value) + 4, tick_text(value));
  }
  const double x = frame.left - 46, y = frame.top + frame.height / 2;
  return svg + fmt::format(
                   "<text x=\"{0:.2f}\" y=\"{1:.2f}\" text-anchor=\"middle\" "
                   "transform=\"rotate(-90 {0:.2f} {1:.2f})\">{2}</text>\n",
                   x, y, escape(axis.title));
}

}  // namespace imago::formats
