// This file draws spectra in decibels as SVG: curves over frequency, and spectrograms.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formats/chart.hpp"

namespace imago::formats {

/// Values that lie evenly on the frequency axis, both ends included.
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

/// A spectrum per moment: `decibels[moment][i]`, with i on the frequency axis as in a Curve.
struct Panel {
  std::string name;
  std::vector<std::vector<double>> decibels;
};
struct SpectrogramPicture {
  std::string title, subtitle, footer;
  Axis time, frequency;
  std::string level_title;
  std::vector<Panel> panels;  ///< at least one, one under the other
};
std::string draw(const SpectrogramPicture& picture);

}  // namespace imago::formats
