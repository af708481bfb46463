// This file implements the reading of SigMF's metadata, which is JSON.
#include "formats/sigmf.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/integers.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "formats/file.hpp"
#include "formats/sound_view.hpp"
#include "formats/tar.hpp"

namespace imago::formats {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kRaw = "read the file of the samples with --format";
constexpr std::string_view kMetaCapitals = ".SIGMF-META", kDataCapitals = ".SIGMF-DATA";
constexpr std::uint64_t kMostMeta = std::uint64_t{1} << 26;

/// Returns a member of an object; null if there is none.
json member(const json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() ? json() : *found;
}

[[noreturn]] void unusable(const char* name, const char* expected) {
  throw FormatError(fmt::format("has damaged SigMF metadata: {} is no {}", name, expected));
}

/// Returns a number; nullopt if there is none.
std::optional<double> number(const json& object, const char* name) {
  const json value = member(object, name);
  if (value.is_null()) return {};
  if (!value.is_number()) unusable(name, "number");
  return value.get<double>();
}

/// Returns a number of samples or bytes; 0 if there is none.
std::uint64_t count(const json& object, const char* name) {
  const json value = member(object, name);
  if (value.is_null()) return 0;
  if (!value.is_number_unsigned()) unusable(name, "count");
  return value.get<std::uint64_t>();
}

RawFormat format_of(const json& global) {
  const json value = member(global, "core:datatype");
  if (!value.is_string()) throw FormatError("has no core:datatype, which SigMF metadata needs");
  const auto type = value.get<std::string>();
  const bool big_endian = type.ends_with("_be");
  std::string_view word = type;
  if (big_endian || word.ends_with("_le")) word.remove_suffix(3);
  if (word.starts_with('r')) word.remove_prefix(1);
  auto format = base::value_of(kRawFormats, word);
  if (!format)
    throw FormatError(fmt::format(
        "has the core:datatype {}: imago reads i8, u8, i16, u16, i32, u32, f32 and f64, real (r) "
        "or complex (c)",
        base::printable(type)));  // it may contain a zero, which ends messages
  format->big_endian = big_endian;
  return *format;
}

/// Returns the frequency of the captures, which must be the same.
double centre_of(const json& captures) {
  std::optional<double> centre;
  for (const json& capture : captures) {
    const double here = number(capture, "core:frequency").value_or(0);
    if (centre && here != *centre)
      throw FormatError(
          fmt::format("has captures at several frequencies ({} and {}): cut out one, or {}",
                      hertz_text(*centre), hertz_text(here), kRaw));
    centre = here;
  }
  return centre.value_or(0);
}

/// Returns the bytes before the captures. Numbers of samples count from `offset`.
std::vector<Sigmf::Header> headers_of(const json& captures, std::uint64_t offset) {
  std::vector<Sigmf::Header> headers;
  std::uint64_t before = offset;
  for (const json& capture : captures) {
    const std::uint64_t sample = std::max(offset, count(capture, "core:sample_start"));
    if (sample < before)
      throw FormatError("has captures that are not in the order of their core:sample_start");
    before = sample;
    if (const std::uint64_t bytes = count(capture, "core:header_bytes"); bytes > 0)
      headers.push_back({sample - offset, bytes});
  }
  return headers;
}

/// Returns the name of the file with the samples, which must be in the folder of the metadata.
std::string dataset_of(const json& global) {
  const json value = member(global, "core:dataset");
  if (value.is_null()) return {};
  if (!value.is_string()) unusable("core:dataset", "text");
  auto name = value.get<std::string>();
  if (name.empty() || name == "." || name == ".." ||
      name.find_first_of(std::string_view("/\\:\0", 4)) != name.npos)
    throw FormatError(
        fmt::format("has the core:dataset \"{}\", which must be the name of a file in the same "
                    "folder, or {}",
                    base::printable(name), kRaw));
  return name;
}

json parsed(const std::string& meta) {
  try {
    return json::parse(meta);
  } catch (const json::exception& error) {
    std::string_view text = error.what();  // "[json.exception.parse_error.101] parse error at ..."
    text.remove_prefix(std::min(text.size(), text.find(']') + 2));
    constexpr std::size_t kLongest = 160;  // it may quote a long word
    throw FormatError(fmt::format("is no SigMF metadata, which is JSON: {}{}",
                                  text.substr(0, kLongest), text.size() > kLongest ? "..." : ""));
  }
}

}  // namespace

Sigmf parse_sigmf(const std::string& meta) {
  const json document = parsed(meta), global = member(document, "global");
  if (!global.is_object())
    throw FormatError("is no SigMF metadata, a JSON object with a member \"global\"");
  Sigmf found;
  RawLayout& layout = found.layout;
  layout.format = format_of(global);
  layout.rate = number(global, "core:sample_rate");
  if (layout.rate && !is_moderate(*layout.rate))
    throw FormatError(fmt::format("has the core:sample_rate {}, which must be from {} to {}",
                                  *layout.rate, kLeastSize, kMostSize));
  const double channels = number(global, "core:num_channels").value_or(1);
  constexpr double kMost = 1024;
  if (!(channels >= 1 && channels <= kMost && std::trunc(channels) == channels))
    throw FormatError(
        fmt::format("has core:num_channels {}: imago reads 1 to {}", channels, kMost));
  layout.channels = static_cast<std::size_t>(channels);
  const json captures = member(document, "captures");
  layout.centre = layout.format.complex ? centre_of(captures) : 0;
  found.dataset = dataset_of(global);
  found.headers = headers_of(captures, count(global, "core:offset"));
  found.trailing_bytes = count(global, "core:trailing_bytes");
  return found;
}

ByteSource samples_of(ByteSource file, const Sigmf& description) {
  if (description.trailing_bytes > file.size)
    throw FormatError(fmt::format("has {} bytes, but its metadata has {} core:trailing_bytes",
                                  file.size, description.trailing_bytes));
  if (description.headers.empty() && description.trailing_bytes == 0) return file;
  const std::uint64_t end = file.size - description.trailing_bytes;
  /// Samples without a header between them.
  struct Run {
    std::uint64_t from = 0, place = 0;  ///< offset among the samples, and in the file
  };
  std::vector<Run> runs{{}};
  std::uint64_t skipped = 0;
  for (const auto& [sample, bytes] : description.headers) {
    const auto from = base::checked_multiply(sample, description.layout.moment_bytes());
    // Captures after the end of the file are ignored, as SigMF requires.
    if (!from || *from > end - skipped) break;
    skipped += std::min(bytes, end - skipped - *from);
    runs.push_back({*from, *from + skipped});
  }
  return {end - skipped, [file = std::move(file), runs = std::move(runs)](
                             std::uint64_t from, char* bytes, std::size_t count) {
            auto next = std::upper_bound(
                runs.begin(), runs.end(), from,
                [](std::uint64_t offset, const Run& run) { return offset < run.from; });
            for (;; ++next) {
              const Run& run = *std::prev(next);
              const std::uint64_t part =
                  next == runs.end() ? count : std::min<std::uint64_t>(count, next->from - from);
              file.read(run.place + (from - run.from), bytes, part);
              bytes += part, count -= part, from += part;
              if (count == 0) return;
            }
          }};
}

namespace {

/// Returns the path with another ending, in the letters of an existing file, else in small ones.
fs::path with_ending(fs::path path, std::string_view ending, std::string_view capitals) {
  std::error_code error;
  path.replace_extension(capitals);
  return fs::exists(path, error) ? path : path.replace_extension(ending);
}

std::unique_ptr<RawRecording> open_described(ByteSource samples, const Sigmf& description) {
  auto recording = std::make_unique<RawRecording>(samples_of(std::move(samples), description),
                                                  description.layout);
  if (!description.dataset.empty()) recording->set_file(description.dataset);
  return recording;
}

/// The two files of a SigMF recording, one of which was named.
class SigmfFiles {
 public:
  SigmfFiles(ByteSource file, const fs::path& path)
      : given_(std::move(file)), path_(path), given_meta_(ending_of(path) == kSigmfMeta) {}

  std::unique_ptr<Recording> open() const {
    const fs::path meta = given_meta_ ? path_ : with_ending(path_, kSigmfMeta, kMetaCapitals);
    const ByteSource described = given_meta_ ? given_ : other(meta);
    const Sigmf description = named(meta.string(), [&] {
      if (described.size > kMostMeta) throw FormatError("is too large for SigMF metadata");
      return parse_sigmf(bytes_at(described, 0, described.size));
    });
    const fs::path data = data_of(meta, description);
    return named(data.string(),
                 [&] { return open_described(given_meta_ ? other(data) : given_, description); });
  }

 private:
  ByteSource other(const fs::path& name) const {
    std::error_code error;
    if (!fs::exists(name, error))
      throw FormatError(fmt::format("needs {} next to it{}", name.filename().string(),
                                    given_meta_ ? "" : ", or --format and --rate"));
    return bytes_of(std::make_shared<InputFile>(name));
  }
  /// Returns the file with the samples. Throws FormatError if that is not the named one.
  fs::path data_of(const fs::path& meta, const Sigmf& description) const {
    if (description.dataset.empty())
      return given_meta_ ? with_ending(path_, kSigmfData, kDataCapitals) : path_;
    const fs::path data = path_.parent_path() / base::path_of(description.dataset);
    if (!given_meta_ && data.filename() != path_.filename())
      throw FormatError(fmt::format(
          "is not the file that {} describes, {} (core:dataset): use --format and --rate",
          meta.filename().string(), description.dataset));
    return data;
  }

  ByteSource given_;
  fs::path path_;
  bool given_meta_;
};

}  // namespace

std::unique_ptr<Recording> open_sigmf(ByteSource file, const fs::path& path) {
  return SigmfFiles(std::move(file), path).open();
}

std::unique_ptr<Recording> open_sigmf_archive(ByteSource file, const fs::path&) {
  const std::vector<TarFile> files = tar_files(file);
  const auto ends = [](std::string_view ending) {
    return [ending](const TarFile& each) { return base::lower_case(each.name).ends_with(ending); };
  };
  const auto count = std::count_if(files.begin(), files.end(), ends(kSigmfMeta));
  if (count != 1)
    throw FormatError(
        fmt::format("has {} recordings: unpack it with tar -xf, and name one of them", count));
  const TarFile meta = *std::find_if(files.begin(), files.end(), ends(kSigmfMeta));
  if (meta.size > kMostMeta) throw FormatError("is too large for SigMF metadata");
  const Sigmf description =
      named(meta.name, [&] { return parse_sigmf(bytes_at(file, meta.from, meta.size)); });
  // The files of a recording have one name, in one folder.
  const std::string folder = meta.name.substr(0, meta.name.rfind('/') + 1),
                    stem = meta.name.substr(0, meta.name.size() - kSigmfMeta.size());
  const auto data = std::find_if(files.begin(), files.end(), [&](const TarFile& each) {
    return description.dataset.empty() ? each.name.starts_with(stem) && ends(kSigmfData)(each) &&
                                             each.name.size() == stem.size() + kSigmfData.size()
                                       : each.name == folder + description.dataset;
  });
  if (data == files.end()) throw FormatError("has no samples for " + base::printable(meta.name));
  return named(data->name, [&] {
    return open_described(show(std::move(file), {{}, data->from, data->size, {}}), description);
  });
}

}  // namespace imago::formats
