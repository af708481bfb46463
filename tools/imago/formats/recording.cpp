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

std::string hertz_text(double hertz) {
  constexpr double kMega = 1e6;
  return std::abs(hertz) < kMega ? fmt::format("{:.1f} Hz", hertz)
                                 : fmt::format("{:.6f} MHz", hertz / kMega);
}

}  // namespace imago::formats
