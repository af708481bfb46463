// This file makes the pixels of spectrograms: levels in decibels become indices into a palette.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "charts/axis.hpp"
#include "formats/png.hpp"

namespace imago::formats {

using charts::Axis;

/// A spectrum per moment: `decibels[moment][i]`, with i on the frequency axis, both ends included.
/// NaN and infinity are no levels; minus infinity is silence.
struct Panel {
  std::string name;
  std::vector<std::vector<double>> decibels;
};

/// The extremes of all finite values (silence has none).
class Extremes {
 public:
  void add(std::span<const double> values);
  /// Round numbers from the highest down, at most `range` of them.
  Axis axis(double range, const std::string& title) const;

 private:
  double low_ = 1, high_ = -1;  ///< low above high: none yet
};
/// The levels that the panels' colours stand for.
Axis colour_axis(const std::vector<Panel>& panels, const std::string& title);
/// The numbers beside the scale of colours, each at its value: at the lower end "≤ -80" where
/// levels lie below it.
std::vector<std::pair<double, std::string>> colour_ticks(const std::vector<Panel>& panels,
                                                         const Axis& level);

/// Colours of levels, dark to bright through blue, magenta, orange and pale yellow; the brightness
/// grows evenly. After them a grey, of index kNoLevel.
inline constexpr std::uint8_t kNoLevel = 255;
const std::vector<Colour>& palette();
/// The indices of all levels, the highest first.
std::vector<std::uint8_t> all_levels();

struct Pixels {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> indices;  ///< row by row from the top
};
/// Moments side by side, each a column with the highest frequency at the top, in at most so many
/// columns and so many rows. Where there are more moments than columns, a column shows the largest
/// of its values, and is grey if one has no level; a few moments fill several columns each, so that
/// no viewer blends them.
Pixels pixels(const Panel& panel, const Axis& level, std::size_t columns, std::size_t rows);

}  // namespace imago::formats
