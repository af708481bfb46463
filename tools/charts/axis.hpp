// This file holds axes: round ticks, their numbers, where values lie in a frame, and the reduction
// of many values to the pixels that show them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace imago::charts {

enum class Scale { linear, powers_of_two, powers_of_ten };

/// Logarithmic axes have ends above 0.
struct Axis {
  double low = 0, high = 1;
  std::string title;
  Scale scale = Scale::linear;
  /// Where a value lies between the ends, 0 to 1; beyond them where it is outside.
  double part(double value) const;
};

/// Round numbers inside an axis, at most `most` of them: steps of 1, 2 or 5 times a power of ten.
std::vector<double> ticks(double low, double high, std::size_t most);
/// The same of any axis: of logarithmic ones powers, and where these are few multiples of them.
std::vector<double> ticks(const Axis& axis, std::size_t most);
/// A tick's number: "0.05", "2¹⁰", "10⁻⁷".
std::string tick_text(double value, Scale scale = Scale::linear);

/// An axis from 0 to a round number at or above `most`.
Axis axis_from_zero(double most, const std::string& title);
/// A logarithmic axis whose ends are whole powers, around values above 0.
Axis axis_of_powers(double least, double most, const std::string& title, Scale scale);

/// Pixel i of `pixels` shows the largest of the values that fall on it, the first value lying on
/// the left edge of the first pixel and the last on the right edge of the last; where values are
/// sparser than pixels, the nearest.
std::vector<double> largest_per_pixel(std::span<const double> values, std::size_t pixels);

/// The part of a picture that data is drawn in, in pixels.
struct Frame {
  double left = 0, top = 0, width = 0, height = 0;
  double x(const Axis& axis, double value) const { return left + width * axis.part(value); }
  double y(const Axis& axis, double value) const { return top + height * (1 - axis.part(value)); }
};

/// Pixels from a frame to the title on its left: numbers as "5·10⁻⁸" are between.
inline constexpr double kTitleDistance = 58;

/// As many ticks as have room along the frame.
std::vector<double> x_ticks(const Frame& frame, const Axis& axis);
std::vector<double> y_ticks(const Frame& frame, const Axis& axis);

/// Ticks, numbers, title and, with `grid`, lines over the frame.
std::string draw_x_axis(const Frame& frame, const Axis& axis, bool grid);
std::string draw_y_axis(const Frame& frame, const Axis& axis, bool grid);

}  // namespace imago::charts
