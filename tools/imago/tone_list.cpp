// This file implements the list of the strongest frequencies.
#include "tone_list.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace imago::command {

ToneList tone_list(const Amplitudes& amplitudes, const SpectrumInfo& info, std::size_t most) {
  return {strongest(amplitudes, info, most),
          info.row_names.size() > 1 ? info.row_names : std::vector<std::string>(),
          info.rate.has_value(), info.level_unit()};
}

std::string text_of(const ToneList& list) {
  std::string text;
  const char* label = "strongest";
  for (const Tone& tone : list.tones)
    text +=
        fmt::format("{:<10} {:>13} {:>8.1f} {}{}\n", std::exchange(label, ""),
                    frequency_text(tone.frequency, list.in_hertz), tone.decibels, list.level_unit,
                    list.row_names.empty() ? "" : ", " + list.row_names.at(tone.row));
  return text;
}

nlohmann::json to_json(const ToneList& list) {
  auto json = nlohmann::json::array();
  for (const Tone& tone : list.tones) {
    json.push_back({{list.in_hertz ? "hertz" : "cycles_per_sample", tone.frequency},
                    {"decibels", tone.decibels}});
    if (!list.row_names.empty()) json.back()["row"] = list.row_names.at(tone.row);
  }
  return json;
}

}  // namespace imago::command
