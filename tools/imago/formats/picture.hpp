// This file draws spectra in decibels as SVG: curves over frequency, and spectrograms.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formats/heat_map.hpp"

namespace imago::formats {

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
};
std::string draw(const SpectrumPicture& picture);

struct SpectrogramPicture {
  Captions captions;
  Axis time, frequency;
  std::string level_title;
  std::vector<Panel> panels;  ///< at least one, one below the other
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
