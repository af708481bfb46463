// This file implements the list of the strongest frequencies.
#include "tone_list.hpp"

#include <utility>

#include "report_writer.hpp"

namespace imago::command {

ToneList tone_list(const Amplitudes& amplitudes, const SpectrumInfo& info, std::size_t most) {
  return {strongest(amplitudes, info, most),
          info.row_names.size() > 1 ? info.row_names : std::vector<std::string>(),
          info.rate.has_value(), info.level_unit()};
}

void add(Report& report, const ToneList& list) {
  const char* label = "strongest";
  report.rows("strongest", list.tones, [&](const Tone& tone) {
    Report row;
    row.line(std::exchange(label, ""), "{:>13} {:>8} {}{}",
             Field{list.in_hertz ? "hertz" : "cycles_per_sample", tone.frequency,
                   frequency_text(tone.frequency, list.in_hertz)},
             Field::number("decibels", tone.decibels, "{:.1f}"), list.level_unit,
             list.row_names.empty() ? "" : ", " + list.row_names.at(tone.row));
    if (!list.row_names.empty()) row.value("row", list.row_names.at(tone.row));
    return row;
  });
}

}  // namespace imago::command
