// This file prints the strongest frequencies of a spectrum.
#pragma once

#include <string>
#include <vector>

#include "spectrum.hpp"

namespace imago::command {

struct Report;

struct ToneList {
  std::vector<Tone> tones;
  std::vector<std::string> row_names;  ///< empty: there is one row
  bool in_hertz = false;
  std::string level_unit;
};

/// Finds the strongest frequencies, at most `most` for each row, or of all if there are many rows.
ToneList tone_list(const Amplitudes& amplitudes, const SpectrumInfo& info, std::size_t most);

/// Adds a line for each frequency, and an array.
void add(Report& report, const ToneList& list);

}  // namespace imago::command
