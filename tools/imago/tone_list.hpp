// This file prints the strongest frequencies of a spectrum.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "spectrum.hpp"

namespace imago::command {

struct ToneList {
  std::vector<Tone> tones;
  std::vector<std::string> row_names;  ///< empty: there is one row
  bool in_hertz = false;
  std::string level_unit;
};

/// Finds the strongest frequencies, at most `most` for each row, or of all if there are many rows.
ToneList tone_list(const Amplitudes& amplitudes, const SpectrumInfo& info, std::size_t most);

/// Returns a line for each frequency.
std::string text_of(const ToneList& list);
/// Returns an array.
nlohmann::json to_json(const ToneList& list);

}  // namespace imago::command
