// This file computes axes: round ticks, their numbers, positions of values in a frame, and the
// reduction of many values to pixels.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace imago::charts {

enum class Scale { linear, powers_of_two, powers_of_ten };

/// Logarithmic axes must have ends above 0.
struct Axis {
  double low = 0, high = 1;
  std::string title;
  Scale scale = Scale::linear;
  /// Texts at 0, 1, 2 and so on, instead of numbers; only for horizontal axes.
  std::vector<std::string> names = {};
  bool ends = false;  ///< both ends have a tick, in addition to round numbers; of linear axes only
  /// Returns the position of a value between the ends, 0 to 1; outside this range if the value is
  /// outside.
  double part(double value) const;
};

/// Returns round numbers on an axis, at most `most` of them, in steps of 1, 2 or 5 times a power of
/// ten.
std::vector<double> ticks(double low, double high, std::size_t most);
/// Returns the ticks of any axis; for logarithmic axes powers, and multiples of them if there are
/// few.
std::vector<double> ticks(const Axis& axis, std::size_t most);
/// Returns a tick's number: "0.05", "2¹⁰", "10⁻⁷". Powers of ten up to 10 to the `plain`, and down
/// to its inverse, are plain numbers.
std::string tick_text(double value, Scale scale = Scale::linear, double plain = 3);

/// Returns the number of an axis's tick. Ends that are not round have three digits of the range.
std::string number_on(const Axis& axis, double value);

/// Returns an axis from 0 to a round number at or above `most`.
Axis axis_from_zero(double most, const std::string& title);
/// Returns a logarithmic axis whose ends are whole powers, around values above 0.
Axis axis_of_powers(double least, double most, const std::string& title, Scale scale);

/// Reduces values to `pixels` pixels. Each pixel shows the largest of its values. The first value
/// lies on the left edge of the first pixel, and the last on the right edge of the last. If there
/// are fewer values than pixels, a pixel shows the nearest value.
std::vector<double> largest_per_pixel(std::span<const double> values, std::size_t pixels);

/// The area of a picture for data, in pixels.
struct Frame {
  double left = 0, top = 0, width = 0, height = 0;
  double x(const Axis& axis, double value) const { return left + width * axis.part(value); }
  double y(const Axis& axis, double value) const { return top + height * (1 - axis.part(value)); }
};

/// Pixels from a frame to the title on its left, with room for numbers such as "5·10⁻⁸".
inline constexpr double kTitleDistance = 58;

/// Return as many ticks as fit along the frame, in ascending order.
std::vector<double> x_ticks(const Frame& frame, const Axis& axis);
std::vector<double> y_ticks(const Frame& frame, const Axis& axis);

/// Draw ticks, numbers, title and, with `grid`, lines over the frame.
std::string draw_x_axis(const Frame& frame, const Axis& axis, bool grid);
std::string draw_y_axis(const Frame& frame, const Axis& axis, bool grid);

}  // namespace imago::charts
