// This file has the table of file formats, and opens recordings by it.
#include "formats/open_recording.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/file.hpp"
#include "formats/npy.hpp"
#include "formats/sigmf.hpp"
#include "formats/sound_file.hpp"
#include "formats/sound_view.hpp"

namespace imago::formats {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMagicHead = 12;  // bytes of a magic and a form

using Opened = std::unique_ptr<Recording>;

Opened open_sound(ByteSource file, const fs::path&) {
  return std::make_unique<SoundFile>(std::move(file));
}
Opened refuse_array(ByteSource, const fs::path&) {
  throw UnknownFormat(
      "is not a recording that libsndfile can read, but an array: `imago transform` reads it");
}
Opened refuse_arrays(ByteSource, const fs::path&) {
  throw UnknownFormat(
      "is not a recording that libsndfile can read; save one array of a .npz archive: "
      "numpy.save(\"x.npy\", numpy.load(FILE)[NAME])");
}

/// Endings come first, because raw samples may begin like another file.
constexpr Format kFormats[] = {
    {.ending = kSigmfMeta,
     .name = "metadata, which names the format of its samples",
     .help = kSigmfMeta,
     .open = open_sigmf},
    {.ending = kSigmfData, .open = open_sigmf},
    {.ending = ".sigmf", .open = open_sigmf_archive},
    {.magic = kNpyMagic, .name = "a .npy file", .array = true, .open = refuse_array},
    {.magic = "PK", .open = refuse_arrays},
    {.magic = "RI", .form = "WAVE", .name = "a WAV file", .help = ".wav", .open = open_sound},
    {.magic = "RF64", .form = "WAVE", .name = "a WAV file", .open = open_sound},
    {.magic = "BW64", .form = "WAVE", .name = "a WAV file", .open = open_sound},
    {.magic = "fLaC", .name = "a FLAC file", .open = open_sound},
    {.magic = "OggS", .name = "an Ogg file", .open = open_sound},
    {.magic = "FORM", .name = "an AIFF file", .open = open_sound},
    {.magic = "caff", .name = "a CAF file", .open = open_sound},
    {.magic = ".snd", .name = "an AU file", .open = open_sound},
};

/// Opens raw samples. Throws FormatError if the file names its own format.
Opened open_raw(ByteSource file, const std::string& head, const fs::path& path,
                const RawFormat& format) {
  for (const Format& other : kFormats)
    if (!other.name.empty() && other.fits(head, path))
      throw FormatError(fmt::format("is {}{}: omit --format", other.name,
                                    other.magic.empty() ? "" : ", whose header names its format"));
  return std::make_unique<RawRecording>(std::move(file), RawLayout{.format = format, .rate = {}});
}

}  // namespace

bool Format::fits(std::string_view head, const fs::path& path) const {
  if (magic.empty()) return ending_of(path) == ending;
  return head.starts_with(magic) && head.substr(0, kMagicHead).ends_with(form);
}

std::span<const Format> all_formats() { return kFormats; }

const Format* format_of(std::string_view head, const fs::path& path) {
  const auto fits = [&](const Format& format) { return format.fits(head, path); };
  const auto found = std::ranges::find_if(kFormats, fits);
  return found == std::end(kFormats) ? nullptr : found;
}

std::string endings_text() {
  std::string text;
  for (const Format& format : std::views::reverse(kFormats))  // sounds first
    if (!format.help.empty()) text.append(format.help).append(", ");
  return text + "...";
}

double centre_of(const RecordingOptions& options, bool complex, const std::optional<double>& rate) {
  if (!options.centre) return 0;
  if (!complex)
    throw FormatError("has real samples: --centre is for complex ones, such as --format cf32");
  if (!rate) throw FormatError("has no sampling rate, which --centre needs: use --rate");
  return *options.centre;
}

Section section_of(const RecordingOptions& options, const std::optional<double>& rate,
                   std::uint64_t moments) {
  if (!options.start && !options.duration) return {0, moments};
  if (!rate)
    throw FormatError("has no sampling rate, which --start and --duration need: use --rate");
  const auto most = static_cast<double>(moments);
  const double first = std::round(options.start.value_or(0) * *rate);
  if (first >= most)
    throw FormatError(
        fmt::format("has {} s: --start must be less", base::number_text(most / *rate, 3)));
  const double wanted = options.duration ? std::round(*options.duration * *rate) : most;
  if (wanted < 1) throw FormatError("has no sample in a --duration of 0 s: use a longer one");
  const auto begin = static_cast<std::uint64_t>(first);
  return {begin, wanted < most - first ? static_cast<std::uint64_t>(wanted) : moments - begin};
}

std::unique_ptr<Recording> open_recording(std::shared_ptr<InputFile> file, const fs::path& path,
                                          const RecordingOptions& options) {
  ByteSource bytes = bytes_of(std::move(file));
  const std::string head = bytes_at(bytes, 0, kMagicHead);
  const Format* const format = format_of(head, path);
  const auto raw =
      options.format || format ? options.format : raw_format_of_ending(ending_of(path));
  auto recording = raw      ? open_raw(std::move(bytes), head, path, *raw)
                   : format ? format->open(std::move(bytes), path)
                            : open_sound(std::move(bytes), path);
  if (options.rate) recording->set_rate(*options.rate);
  if (options.iq) recording->pair_channels();
  const RecordingInfo& info = recording->info();
  if (options.centre) recording->set_centre(centre_of(options, info.complex, info.rate));
  if (!options.start && !options.duration) return recording;
  const Section part = section_of(options, info.rate, info.frames);
  return std::make_unique<PartOfRecording>(std::move(recording), part.first, part.count);
}

}  // namespace imago::formats
