// This file implements the opening of recordings.
#include "formats/open_recording.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/system.hpp"
#include "formats/file.hpp"
#include "formats/sigmf.hpp"
#include "formats/sound_file.hpp"
#include "formats/sound_view.hpp"

namespace imago::formats {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMeta = ".sigmf-meta", kData = ".sigmf-data",
                           kMetaCapitals = ".SIGMF-META", kDataCapitals = ".SIGMF-DATA";
constexpr std::uint64_t kMostMeta = std::uint64_t{1} << 26;

/// Returns the name of the format that a file's header names; empty if it has none.
std::string_view header_of(const ByteSource& source) {
  const std::string head = bytes_at(source, 0, 12);
  const bool wave = head.ends_with("WAVE") && (head.starts_with("RI") || head.starts_with("RF64") ||
                                               head.starts_with("BW64"));
  if (wave) return "a WAV file";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kHeads{
      {{"\x93NUMPY", "a .npy file"},
       {"fLaC", "a FLAC file"},
       {"OggS", "an Ogg file"},
       {"FORM", "an AIFF file"},
       {"caff", "a CAF file"},
       {".snd", "an AU file"}}};
  for (const auto& [text, name] : kHeads)
    if (head.starts_with(text)) return name;
  return {};
}

/// Returns the path with another ending, in the letters of an existing file, else in small ones.
fs::path with_ending(fs::path path, std::string_view ending, std::string_view capitals) {
  std::error_code error;
  path.replace_extension(capitals);
  return fs::exists(path, error) ? path : path.replace_extension(ending);
}

/// The two files of a SigMF recording, one of which was named.
class SigmfFiles {
 public:
  SigmfFiles(std::shared_ptr<InputFile> file, const fs::path& path)
      : given_(std::move(file)), path_(path), given_meta_(ending_of(path) == kMeta) {}

  std::unique_ptr<Recording> open() const {
    const fs::path meta = given_meta_ ? path_ : with_ending(path_, kMeta, kMetaCapitals);
    const auto described = given_meta_ ? given_ : other(meta);
    const Sigmf description = named(meta.string(), [&] {
      if (described->size() > kMostMeta) throw FormatError("is too large for SigMF metadata");
      return parse_sigmf(bytes_at(bytes_of(described), 0, described->size()));
    });
    const fs::path data = data_of(meta, description);
    return named(data.string(), [&] {
      auto recording = std::make_unique<RawRecording>(
          samples_of(bytes_of(given_meta_ ? other(data) : given_), description),
          description.layout);
      if (!description.dataset.empty()) recording->set_file(description.dataset);
      return recording;
    });
  }

 private:
  std::shared_ptr<InputFile> other(const fs::path& name) const {
    std::error_code error;
    if (!fs::exists(name, error))
      throw FormatError(fmt::format("needs {} next to it{}", name.filename().string(),
                                    given_meta_ ? "" : ", or --format and --rate"));
    return std::make_shared<InputFile>(name);
  }
  /// Returns the file with the samples. Throws FormatError if that is not the named one.
  fs::path data_of(const fs::path& meta, const Sigmf& description) const {
    if (description.dataset.empty())
      return given_meta_ ? with_ending(path_, kData, kDataCapitals) : path_;
    const fs::path data = path_.parent_path() / base::path_of(description.dataset);
    if (!given_meta_ && data.filename() != path_.filename())
      throw FormatError(fmt::format(
          "is not the file that {} describes, {} (core:dataset): use --format and --rate",
          meta.filename().string(), description.dataset));
    return data;
  }

  std::shared_ptr<InputFile> given_;
  fs::path path_;
  bool given_meta_;
};

std::unique_ptr<Recording> open_any(std::shared_ptr<InputFile> file, const fs::path& path,
                                    const RecordingOptions& options) {
  const std::string ending = ending_of(path);
  if (!options.format && (ending == kMeta || ending == kData))
    return SigmfFiles(std::move(file), path).open();
  if (!options.format && ending == ".sigmf")
    throw FormatError("is an archive of SigMF files: unpack it with tar -xf");
  ByteSource source = bytes_of(std::move(file));
  if (!options.format) return std::make_unique<SoundFile>(std::move(source));
  if (ending == kMeta)
    throw FormatError("is metadata, which names the format of its samples: omit --format");
  if (const std::string_view header = header_of(source); !header.empty())
    throw FormatError(fmt::format("is {}, whose header names its format: omit --format", header));
  return std::make_unique<RawRecording>(std::move(source),
                                        RawLayout{.format = *options.format, .rate = {}});
}

}  // namespace

double centre_of(const RecordingOptions& options, bool complex, const std::optional<double>& rate) {
  if (!options.centre) return 0;
  if (!complex)
    throw FormatError("has real samples: --centre is for complex ones, such as --format cf32");
  if (!rate) throw FormatError("has no sampling rate, which --centre needs: use --rate");
  return *options.centre;
}

ByteSource bytes_of(std::shared_ptr<InputFile> file) {
  const std::uint64_t size = file->size();
  return {size, [file = std::move(file)](std::uint64_t from, char* bytes, std::size_t count) {
            file->read(from, bytes, count);
          }};
}

std::unique_ptr<Recording> open_recording(std::shared_ptr<InputFile> file, const fs::path& path,
                                          const RecordingOptions& options) {
  auto recording = open_any(std::move(file), path, options);
  if (options.rate) recording->set_rate(*options.rate);
  if (options.iq) recording->pair_channels();
  const RecordingInfo& info = recording->info();
  if (options.centre) recording->set_centre(centre_of(options, info.complex, info.rate));
  return recording;
}

}  // namespace imago::formats
