// This file describes recordings.
#include "formats/recording.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"

namespace imago::formats {

std::string Recording::about() const {
  const RecordingInfo& r = info_;
  std::string text = r.encoding;
  if (!r.file.empty()) text += " in " + base::printable(r.file);
  text += r.rate ? fmt::format(", {} Hz", *r.rate) : std::string(", rate unknown");
  if (r.centre != 0) text += ", centre " + hertz_text(r.centre);
  text += ", " + base::counted(r.channels, "channel") + ", " + base::counted(r.frames, "sample");
  if (r.rate) text += " (" + base::number_text(static_cast<double>(r.frames) / *r.rate, 2) + " s)";
  return text + (r.note.empty() ? "" : ", " + r.note);
}

void Recording::pair_channels() {
  if (info_.complex) throw FormatError("has complex samples: --iq is for two real channels");
  if (info_.channels != 2)
    throw FormatError("has " + base::counted(info_.channels, "channel") +
                      ": --iq needs two, I and Q");
  info_.encoding += ", I and Q";
  info_.channels = 1;
  info_.complex = true;
}

std::string hertz_text(double hertz) {
  constexpr double kMega = 1e6;
  if (std::abs(hertz) >= kMega) return base::number_text(hertz / kMega, 6) + " MHz";
  return hertz != 0 && std::abs(hertz) < 1 ? fmt::format("{:.4g} Hz", hertz)
                                           : base::number_text(hertz, 1) + " Hz";
}

}  // namespace imago::formats
