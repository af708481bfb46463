// This file draws spectra in decibels as SVG: curves over frequency, and spectrograms.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "charts/sheet.hpp"
#include "formats/heat_map.hpp"

namespace imago::formats {

/// The range of levels in decibels that a picture shows; not set: that of the values.
using Range = std::optional<std::pair<double, double>>;

/// The texts around a picture.
struct Captions {
  std::string title, subtitle, footer;
};

/// Values at equal distances on the frequency axis, both ends included. Values that are not finite
/// (silence) are not drawn.
struct Curve {
  std::string name;
  std::vector<double> decibels;
};
struct SpectrumPicture {
  Captions captions;
  Axis frequency;
  std::string level_title;
  std::vector<Curve> curves;  ///< at least one; each has at least two values
  std::vector<charts::Label> labels = {};
  Range range = {};
};
std::string draw(const SpectrumPicture& picture);

struct SpectrogramPicture {
  Captions captions;
  Axis time, frequency;
  std::string level_title;
  std::vector<Panel> panels;  ///< at least one, one below the other
  Range range = {};
  bool waterfall = false;  ///< time runs downwards, and frequencies to the right

  Axis level() const;  ///< the range of the colours
  /// Return the axes of a panel.
  const Axis& across() const { return waterfall ? frequency : time; }
  Axis upwards() const;
  /// Returns the pixels of a panel, within the given numbers of columns and rows.
  Pixels pixels_of(const Panel& panel, const Axis& level, std::size_t columns,
                   std::size_t rows) const;
};
std::string draw(const SpectrogramPicture& picture);

/// Positions of the parts of a spectrogram, in pixels.
struct SpectrogramPage {
  double width = 0, height = 0;
  std::vector<charts::Frame> panels;
  charts::Frame bar;  ///< the colour scale
};
SpectrogramPage page_of(const SpectrogramPicture& picture);
/// Returns the text below the picture, for panels with these columns and rows of pixels.
std::string footer_of(const SpectrogramPicture& picture, std::size_t columns, std::size_t rows);

}  // namespace imago::formats
