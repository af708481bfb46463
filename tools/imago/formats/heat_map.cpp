// This file converts levels to pixels.
#include "formats/heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace imago::formats {
namespace {

constexpr double kColourRange = 80;  // maximum range of decibels

std::uint8_t colour_index(double value, const Axis& level) {
  if (!(value < std::numeric_limits<double>::infinity())) return kNoLevel;
  const double part = (value - level.low) / (level.high - level.low);
  return static_cast<std::uint8_t>(std::lround((kNoLevel - 1) * std::clamp(part, 0.0, 1.0)));
}

std::vector<Colour> make_palette() {
  constexpr std::array<std::array<double, 3>, 6> kStops{
      {{6, 6, 24}, {48, 18, 106}, {134, 32, 118}, {212, 62, 82}, {249, 146, 50}, {252, 248, 190}}};
  constexpr Colour kGrey{150, 150, 150};
  std::vector<Colour> colours(kNoLevel + 1, kGrey);
  for (std::size_t i = 0; i < kNoLevel; ++i) {
    const double at = static_cast<double>(i) / (kNoLevel - 1) * (kStops.size() - 1);
    const auto stop = std::min<std::size_t>(static_cast<std::size_t>(at), kStops.size() - 2);
    const double part = at - static_cast<double>(stop);
    for (std::size_t c = 0; c < 3; ++c) {
      colours[i][c] = static_cast<std::uint8_t>(
          std::lround(kStops[stop][c] + part * (kStops[stop + 1][c] - kStops[stop][c])));
    }
  }
  return colours;
}

}  // namespace

void Extremes::add(std::span<const double> values) {
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const bool first = low_ > high_;
    low_ = first ? value : std::min(low_, value);
    high_ = first ? value : std::max(high_, value);
  }
}

Axis Extremes::axis(double range, const std::string& title, double headroom) const {
  if (low_ > high_) return {-range, 0, title};
  constexpr double kUnseen = 0.05;  // decibels; a fifth of a pixel above 0 still counts as 0
  const double high = std::ceil((high_ - kUnseen) / 10) * 10;
  const double low = std::max(std::floor((low_ - headroom) / 10) * 10, high - range);
  return {std::min(low, high - 10), high, title};
}

Axis colour_axis(const std::vector<Panel>& panels, const std::string& title) {
  Extremes extremes;
  for (const Panel& panel : panels) {
    for (const auto& moment : panel.decibels) extremes.add(moment);
  }
  return extremes.axis(kColourRange, title);
}

std::vector<std::pair<double, std::string>> colour_ticks(const std::vector<Panel>& panels,
                                                         const Axis& level) {
  constexpr std::size_t kMost = 8;
  const auto below = [&](double value) { return value < level.low; };
  const bool some = std::any_of(panels.begin(), panels.end(), [&](const Panel& panel) {
    return std::any_of(panel.decibels.begin(), panel.decibels.end(), [&](const auto& moment) {
      return std::any_of(moment.begin(), moment.end(), below);
    });
  });
  std::vector<std::pair<double, std::string>> found;
  for (const double value : charts::ticks(level.low, level.high, kMost))
    found.emplace_back(value, (some && found.empty() ? "≤ " : "") + charts::tick_text(value));
  return found;
}

const std::vector<Colour>& palette() {
  static const std::vector<Colour> colours = make_palette();
  return colours;
}

std::vector<std::uint8_t> all_levels() {
  std::vector<std::uint8_t> indices(kNoLevel);
  for (std::uint8_t i = 0; i < kNoLevel; ++i)
    indices[i] = static_cast<std::uint8_t>(kNoLevel - 1 - i);
  return indices;
}

Pixels pixels(const Panel& panel, const Axis& level, std::size_t columns, std::size_t rows) {
  const std::size_t moments = panel.decibels.size();
  const std::size_t repeat = 1 + columns / 2 / moments;
  Pixels image{std::min(moments * repeat, columns), rows, {}};
  image.indices.resize(image.width * rows);
  for (std::size_t moment = 0; moment < moments; ++moment) {
    const std::vector<double> column = charts::largest_per_pixel(panel.decibels[moment], rows);
    const std::size_t x = moment * image.width / moments;
    for (std::size_t y = 0; y < rows; ++y) {
      const auto pixel =
          image.indices.begin() + static_cast<std::ptrdiff_t>((rows - 1 - y) * image.width + x);
      const std::uint8_t index = std::max(*pixel, colour_index(column[y], level));
      std::fill_n(pixel, image.width < moments ? 1 : repeat, index);
    }
  }
  return image;
}

}  // namespace imago::formats
