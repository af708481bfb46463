// This file describes recordings.
#include "formats/recording.hpp"

#include <cmath>
#include <utility>

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
  const auto seconds = [&](std::uint64_t moments) {
    return base::number_text(static_cast<double>(moments) / *r.rate, 2) + " s";
  };
  if (r.rate) text += " (" + seconds(r.frames) + ")";
  if (r.first != 0) text += " from " + seconds(r.first) + " on";
  return text + (r.note.empty() ? "" : ", " + r.note);
}

PartOfRecording::PartOfRecording(std::unique_ptr<Recording> whole, std::uint64_t first,
                                 std::uint64_t frames)
    : whole_(std::move(whole)) {
  info_ = whole_->info();
  info_.first = first, info_.frames = frames;
}

void PartOfRecording::read(std::uint64_t first, std::uint64_t count, float* numbers) {
  whole_->read(info_.first + first, count, numbers);
}
void PartOfRecording::read(std::uint64_t first, std::uint64_t count, double* numbers) {
  whole_->read(info_.first + first, count, numbers);
}
void PartOfRecording::read(std::uint64_t first, std::uint64_t count, std::int16_t* numbers) {
  whole_->read(info_.first + first, count, numbers);
}

void Recording::pair_channels() {
  if (info_.paired) return;
  if (info_.complex) throw FormatError("has complex samples: --iq is for two real channels");
  if (info_.channels != 2)
    throw FormatError("has " + base::counted(info_.channels, "channel") +
                      ": --iq needs two, I and Q");
  info_.encoding += ", I and Q";
  info_.channels = 1;
  info_.complex = info_.paired = true;
}

std::string hertz_text(double hertz) {
  constexpr double kMega = 1e6;
  if (std::abs(hertz) >= kMega) return base::number_text(hertz / kMega, 6) + " MHz";
  return hertz != 0 && std::abs(hertz) < 1 ? fmt::format("{:.4g} Hz", hertz)
                                           : base::number_text(hertz, 1) + " Hz";
}

}  // namespace imago::formats
