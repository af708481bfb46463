// This file draws spectra in decibels as SVG: curves over frequency, and spectrograms.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formats/heat_map.hpp"

namespace imago::formats {

/// Values that lie evenly on the frequency axis, both ends included. What is not finite (silence)
/// is not drawn.
struct Curve {
  std::string name;
  std::vector<double> decibels;
};
struct SpectrumPicture {
  std::string title, subtitle, footer;
  Axis frequency;
  std::string level_title;
  std::vector<Curve> curves;  ///< at least one; each at least two values
};
std::string draw(const SpectrumPicture& picture);

struct SpectrogramPicture {
  std::string title, subtitle, footer;
  Axis time, frequency;
  std::string level_title;
  std::vector<Panel> panels;  ///< at least one, one under the other
};
std::string draw(const SpectrogramPicture& picture);

/// Where the parts of a spectrogram lie, in pixels.
struct SpectrogramPage {
  double width = 0, height = 0;
  std::vector<charts::Frame> panels;
  charts::Frame bar;  ///< the colours' scale
};
SpectrogramPage page_of(const SpectrogramPicture& picture);
/// What is written below it, of so many columns and rows of pixels for each panel.
std::string footer_of(const SpectrogramPicture& picture, std::size_t columns, std::size_t rows);

}  // namespace imago::formats
