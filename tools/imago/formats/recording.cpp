// This file describes recordings.
#include "formats/recording.hpp"

#include <cmath>

#include <fmt/format.h>

namespace imago::formats {

std::string Recording::about() const {
  const RecordingInfo& r = info_;
  const auto frames = static_cast<double>(r.frames);
  std::string text =
      r.encoding + (r.rate ? fmt::format(", {} Hz", *r.rate) : std::string(", rate unknown"));
  if (r.centre != 0) text += ", centre " + hertz_text(r.centre);
  return text + fmt::format(", {} channel{}, {} sample{}{}{}", r.channels,
                            r.channels == 1 ? "" : "s", r.frames, r.frames == 1 ? "" : "s",
                            r.rate ? fmt::format(" ({:.2f} s)", frames / *r.rate) : std::string(),
                            r.note.empty() ? "" : ", " + r.note);
}

void Recording::pair_channels() {
  if (info_.complex) throw FormatError("has complex samples: --iq is for two real channels");
  if (info_.channels != 2)
    throw FormatError(fmt::format("has {} channel{}: --iq needs two, I and Q", info_.channels,
                                  info_.channels == 1 ? "" : "s"));
  info_.encoding += ", I and Q";
  info_.channels = 1;
  info_.complex = true;
}

std::string hertz_text(double hertz) {
  constexpr double kMega = 1e6;
  return std::abs(hertz) < kMega ? fmt::format("{:.1f} Hz", hertz)
                                 : fmt::format("{:.6f} MHz", hertz / kMega);
}

}  // namespace imago::formats
