// This file holds what every picture needs: axes with round ticks, a frame, text that is safe in
// SVG, and the reduction of many values to the pixels that show them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace imago::formats {

struct Axis {
  double low = 0, high = 1;
  std::string title;
};

/// Round numbers inside an axis, at most `most` of them: steps of 1, 2 or 5 times a power of ten.
std::vector<double> ticks(double low, double high, std::size_t most);
/// A tick's number.
std::string tick_text(double value);
/// Control characters and what is not UTF-8 replaced by '?'.
std::string printable(std::string_view text);
/// Text for SVG: printable, and markup escaped.
std::string escape(std::string_view text);

/// Pixel i of `pixels` shows the largest of the values that fall on it, the first value lying on
/// the left edge of the first pixel and the last on the right edge of the last; where values are
/// sparser than pixels, the nearest.
std::vector<double> largest_per_pixel(std::span<const double> values, std::size_t pixels);

/// The part of a picture that data is drawn in, in pixels.
struct Frame {
  double left = 0, top = 0, width = 0, height = 0;
  double x(const Axis& axis, double value) const {
    return left + width * (value - axis.low) / (axis.high - axis.low);
  }
  double y(const Axis& axis, double value) const {
    return top + height * (axis.high - value) / (axis.high - axis.low);
  }
};

/// As many ticks as have room along the frame.
std::vector<double> x_ticks(const Frame& frame, const Axis& axis);
std::vector<double> y_ticks(const Frame& frame, const Axis& axis);

/// The head of an SVG with its white background, title and subtitle. Close it with "</svg>\n".
std::string open_svg(double width, double height, std::string_view title,
                     std::string_view subtitle);
/// Small text in the lower right corner.
std::string draw_footer(double width, double height, std::string_view text);
/// Ticks, numbers, title and, with `grid`, lines over the frame.
std::string draw_x_axis(const Frame& frame, const Axis& axis, bool grid);
std::string draw_y_axis(const Frame& frame, const Axis& axis, bool grid);

}  // namespace imago::formats
