// This file implements axes.
#include "charts/axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "charts/svg.hpp"

namespace imago::charts {
namespace {

constexpr double kPixelsPerXTick = 95, kPixelsPerYTick = 38;
constexpr double kPixelsPerPower = 44;  // "2¹⁰" is short

std::size_t tick_count(double pixels, double each) {
  return std::max<std::size_t>(2, static_cast<std::size_t>(pixels / each));
}

double base_of(Scale scale) { return scale == Scale::powers_of_two ? 2 : 10; }
double exponent(double value, Scale scale) {
  return scale == Scale::powers_of_two ? std::log2(value) : std::log10(value);
}

std::string superscript(long number) {
  constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) text += c == '-' ? "⁻" : kDigits[c - '0'];
  return text;
}

/// Returns powers from one end to the other, with a step that leaves at most `most` of them. For
/// powers of ten it also returns 2 and 5 times them if there is room.
std::vector<double> power_ticks(const Axis& axis, std::size_t most) {
  const double slack = 1e-9, base = base_of(axis.scale);
  const auto first = std::lround(std::ceil(exponent(axis.low, axis.scale) - slack)),
             last = std::lround(std::floor(exponent(axis.high, axis.scale) + slack));
  const long count = last - first + 1;
  const long step = std::max(1L, (count + static_cast<long>(most) - 1) / static_cast<long>(most));
  const bool between =
      axis.scale == Scale::powers_of_ten && 3 * count <= static_cast<long>(most) + 2;
  std::vector<double> values;
  for (long i = first; i <= last; i += step)
    for (const double factor : {1, 2, 5}) {
      const double value = factor * std::pow(base, static_cast<double>(i));
      if ((factor == 1 || between) && value <= axis.high * (1 + slack)) values.push_back(value);
    }
  return values;
}

}  // namespace

double Axis::part(double value) const {
  if (scale == Scale::linear) return (value - low) / (high - low);
  return std::log(value / low) / std::log(high / low);
}

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

std::vector<double> ticks(const Axis& axis, std::size_t most) {
  if (axis.scale != Scale::linear) return power_ticks(axis, most);
  return ticks(std::min(axis.low, axis.high), std::max(axis.low, axis.high), most);
}

std::string tick_text(double value, Scale scale, double plain) {
  const double power = scale == Scale::linear ? 0 : exponent(value, scale);
  const bool whole = std::abs(power - std::round(power)) < 1e-9;
  if (scale == Scale::powers_of_two && whole) return "2" + superscript(std::lround(power));
  if (scale == Scale::powers_of_ten && std::abs(power) > plain + 1e-9) {
    const double floor = std::floor(power + 1e-9);
    const auto factor = std::lround(value / std::pow(10, floor));
    return (factor == 1 ? "10" : fmt::format("{}·10", factor)) + superscript(std::lround(floor));
  }
  const std::string text = fmt::format("{:.6g}", value);  // steps are round, so these are all
                                                          // digits
  return text == "-0" ? "0" : text;
}

std::string number_on(const Axis& axis, double value) {
  const bool small = axis.scale == Scale::powers_of_two && axis.high < 1000;
  const bool far = axis.scale == Scale::powers_of_ten && (axis.low < 0.9e-3 || axis.high > 1.1e3);
  if (axis.ends && (value == axis.low || value == axis.high)) {
    const double unit = std::pow(10, std::floor(std::log10(std::abs(axis.high - axis.low) / 100)));
    value = unit * std::round(value / unit);
  }
  // Powers of two below a thousand are plain numbers, and powers of ten have one style.
  return tick_text(value, small ? Scale::linear : axis.scale, far ? 1 : 3);
}

Axis axis_from_zero(double most, const std::string& title) {
  constexpr std::size_t kSteps = 6;
  if (!(most > 0)) return {0, 1, title};
  const double step = ticks(0, most, kSteps).at(1);
  return {0, step * std::ceil(most / step - 1e-9), title};
}

Axis axis_of_powers(double least, double most, const std::string& title, Scale scale) {
  const double slack = 1e-9, base = base_of(scale),
               low = std::floor(exponent(least, scale) + slack),
               high = std::max(std::ceil(exponent(most, scale) - slack), low + 1);
  return {std::pow(base, low), std::pow(base, high), title, scale};
}

namespace {

/// Returns the ticks along some pixels. A number needs `each` of them.
std::vector<double> ticks_along(const Axis& axis, double pixels, double each) {
  std::vector<double> values = ticks(axis, tick_count(pixels, each));
  if (!axis.ends || axis.scale != Scale::linear) return values;
  const auto [low, high] = std::minmax(axis.low, axis.high);
  const double near = (high - low) * std::min(0.5, 0.6 * each / pixels);
  std::erase_if(values, [&, low = low, high = high](double value) {
    return value < low + near || value > high - near;
  });
  values.insert(values.begin(), low);
  values.push_back(high);
  return values;
}

}  // namespace

std::vector<double> x_ticks(const Frame& frame, const Axis& axis) {
  const bool powers = axis.scale == Scale::powers_of_two;
  return ticks_along(axis, frame.width, powers ? kPixelsPerPower : kPixelsPerXTick);
}
std::vector<double> y_ticks(const Frame& frame, const Axis& axis) {
  return ticks_along(axis, frame.height, kPixelsPerYTick);
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

namespace {

/// Draws the axis's texts upwards to the right, so that many fit.
std::string draw_names(const Frame& frame, const Axis& axis) {
  std::string svg;
  for (std::size_t i = 0; i < axis.names.size(); ++i)
    svg += fmt::format(
        "<text x=\"{0:.2f}\" y=\"{1:.2f}\" text-anchor=\"end\" font-size=\"11\" "
        "transform=\"rotate(-60 {0:.2f} {1:.2f})\">{2}</text>\n",
        frame.x(axis, static_cast<double>(i)) + 4, frame.top + frame.height + 12,
        escape(axis.names[i]));
  return svg;
}

}  // namespace

std::string draw_x_axis(const Frame& frame, const Axis& axis, bool grid) {
  if (!axis.names.empty()) return draw_names(frame, axis);
  const double bottom = frame.top + frame.height;
  std::string svg;
  for (const double value : x_ticks(frame, axis)) {
    svg += fmt::format(
        "<path d=\"M{0:.2f} {1:.2f}V{2:.2f}\" stroke=\"{3}\"/>"
        "<text x=\"{0:.2f}\" y=\"{4:.2f}\" text-anchor=\"middle\">{5}</text>\n",
        frame.x(axis, value), grid ? frame.top : bottom, bottom + 5, grid ? "#e4e4e4" : "#888",
        bottom + 19, number_on(axis, value));
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
        grid ? "#e4e4e4" : "#888", frame.left - 9, frame.y(axis, value) + 4,
        number_on(axis, value));
  }
  const double x = frame.left - kTitleDistance, y = frame.top + frame.height / 2;
  return svg + fmt::format(
                   "<text x=\"{0:.2f}\" y=\"{1:.2f}\" text-anchor=\"middle\" "
                   "transform=\"rotate(-90 {0:.2f} {1:.2f})\">{2}</text>\n",
                   x, y, escape(axis.title));
}

}  // namespace imago::charts
