// This file implements the writing of recordings. WAV files above 4 GiB become RF64 (EBU Tech
// 3306): a chunk that readers skip keeps the place of their lengths. The "auxi" chunk is that of
// SpectraVue's WAV files.
#include "formats/sample_writer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/system.hpp"
#include "formats/sigmf.hpp"
#include "formats/sound_view.hpp"

namespace imago::formats {
namespace {

constexpr std::string_view kWave = ".wav";
constexpr RawFormat kWaveFormats[] = {
    {RawType::u8}, {RawType::i16}, {RawType::i32}, {RawType::f32}, {RawType::f64}};
constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

bool is_sigmf(std::string_view ending) { return ending == kSigmfMeta || ending == kSigmfData; }

/// Returns the integer nearest to a number in units of full scale. Zero of u8 is 127.5.
template <class Stored>
Stored stored_as(double number, std::uint64_t& clipped) {
  if constexpr (std::is_floating_point_v<Stored>) {
    return static_cast<Stored>(number);
  } else {
    using Limits = std::numeric_limits<Stored>;
    const double least = Limits::min(), most = Limits::max(), scale = (most - least + 1) / 2;
    const double zero = std::is_same_v<Stored, std::uint8_t> ? 127.5 : least + scale;
    const double wanted = (std::is_same_v<Stored, std::uint8_t> ? 127.5 : scale) * number + zero;
    const double rounded = std::nearbyint(wanted);
    if (std::isnan(rounded)) return static_cast<Stored>(zero);
    // 1 is one more than the largest integer with a sign.
    if (rounded > most + 1 || rounded < least) ++clipped;
    return static_cast<Stored>(std::clamp(rounded, least, most));
  }
}

template <class Stored>
std::string bytes_of_all(std::span<const double> numbers, std::uint64_t& clipped) {
  std::vector<Stored> stored(numbers.size());
  std::transform(numbers.begin(), numbers.end(), stored.begin(),
                 [&](double number) { return stored_as<Stored>(number, clipped); });
  return {reinterpret_cast<const char*>(stored.data()), stored.size() * sizeof(Stored)};
}

std::string bytes_in(RawType type, std::span<const double> numbers, std::uint64_t& clipped) {
  switch (type) {
    case RawType::i8:
      return bytes_of_all<std::int8_t>(numbers, clipped);
    case RawType::u8:
      return bytes_of_all<std::uint8_t>(numbers, clipped);
    case RawType::i16:
      return bytes_of_all<std::int16_t>(numbers, clipped);
    case RawType::u16:
      return bytes_of_all<std::uint16_t>(numbers, clipped);
    case RawType::i32:
      return bytes_of_all<std::int32_t>(numbers, clipped);
    case RawType::u32:
      return bytes_of_all<std::uint32_t>(numbers, clipped);
    case RawType::f32:
      return bytes_of_all<float>(numbers, clipped);
    case RawType::f64:
      break;
  }
  return bytes_of_all<double>(numbers, clipped);
}

std::string little(std::uint64_t number, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(number >> 8 * i & 0xff);
  return text;
}

std::string chunk(const std::string& name, const std::string& contents) {
  return name + little(contents.size(), 4) + contents;
}

}  // namespace

RawFormat written_format(const std::string& path, const std::optional<RawFormat>& wish,
                         bool complex) {
  const std::string ending = path == kStandard ? "" : ending_of(base::path_of(path));
  const bool wave = ending == kWave, known = wave || path == kStandard || is_sigmf(ending);
  RawFormat format{RawType::f32, complex};
  if (wish) {
    format = *wish;
  } else if (!known) {
    const auto named = raw_format_of_ending(ending);
    if (!named)
      throw FormatError(
          "has no known ending: use .wav, .sigmf-meta, .cf32 or another format's name, or add "
          "--output-format");
    format = *named;
  }
  if (format.complex != complex)
    throw FormatError(fmt::format("has the format {}, but the samples are {}",
                                  base::word_of(kRawFormats, format),
                                  complex ? "complex (c)" : "real (without c)"));
  const bool fits = std::any_of(std::begin(kWaveFormats), std::end(kWaveFormats),
                                [&](const RawFormat& each) { return each.type == format.type; });
  if (wave && !fits)
    throw FormatError(fmt::format("is a WAV file, which cannot have {}: use {}, {}, {} or {}",
                                  base::word_of(kRawFormats, format), complex ? "cf32" : "f32",
                                  complex ? "ci16" : "i16", complex ? "ci32" : "i32",
                                  complex ? "cu8" : "u8"));
  return format;
}

SampleWriter::SampleWriter(const std::string& path, const WrittenSamples& samples)
    : samples_(samples), kind_(path == kStandard ? "" : ending_of(base::path_of(path))) {
  std::string data = path;
  if (is_sigmf(kind_)) data = path.substr(0, path.size() - kind_.size()) + std::string(kSigmfData);
  files_.push_back({data, std::make_unique<OutputFile>(data)});
  if (is_sigmf(kind_)) {
    const std::string meta =
        data.substr(0, data.size() - kSigmfData.size()) + std::string(kSigmfMeta);
    files_.push_back({meta, std::make_unique<OutputFile>(meta)});
  }
  if (is_wave()) files_[0].file->write(wave_head());
}

SampleWriter::~SampleWriter() = default;

bool SampleWriter::is_wave() const { return kind_ == kWave; }

void SampleWriter::write(std::span<const double> numbers) {
  const std::string bytes = bytes_in(samples_.format.type, numbers, clipped_);
  files_[0].file->write(bytes);
  bytes_ += bytes.size();
}

std::string SampleWriter::wave_head() const {
  const bool floating =
      samples_.format.type == RawType::f32 || samples_.format.type == RawType::f64;
  const RawLayout layout{.format = samples_.format, .rate = {}};
  const std::size_t channels = samples_.format.complex ? 2 : 1, block = layout.moment_bytes();
  const auto rate =
      static_cast<std::uint64_t>(std::min(std::round(samples_.rate), static_cast<double>(kMost32)));
  std::string chunks = chunk(
      "fmt ", little(floating ? 3 : 1, 2) + little(channels, 2) + little(rate, 4) +
                  little(std::min(rate * block, kMost32), 4) + little(block, 2) +
                  little(8 * block / channels, 2) + (floating ? little(0, 2) : std::string()));
  if (floating) chunks += chunk("fact", little(std::min(bytes_ / block, kMost32), 4));
  if (samples_.format.complex && samples_.centre >= 0 &&
      samples_.centre < static_cast<double>(kMost32)) {
    // Two times of 16 bytes, the centre frequency, the converter's rate, an intermediate frequency,
    // the bandwidth and unused numbers.
    const auto centre = static_cast<std::uint64_t>(std::round(samples_.centre));
    chunks += chunk("auxi", std::string(32, '\0') + little(centre, 4) + little(rate, 4) +
                                little(0, 4) + little(rate, 4) + std::string(20, '\0'));
  }
  constexpr std::size_t kSizes64 = 28, kHead = 8;
  const std::uint64_t behind = 4 + kHead + kSizes64 + chunks.size() + kHead + bytes_;
  const bool large = behind > kMost32;
  const std::string sizes =
      large ? little(behind, 8) + little(bytes_, 8) + little(bytes_ / block, 8) + little(0, 4)
            : std::string(kSizes64, '\0');
  return (large ? "RF64" : "RIFF") + little(large ? kMost32 : behind, 4) + "WAVE" +
         chunk(large ? "ds64" : "JUNK", sizes) + chunks + "data" +
         little(large ? kMost32 : bytes_, 4);
}

std::string SampleWriter::sigmf_meta() const {
  std::string type(base::word_of(kRawFormats, samples_.format));
  if (!samples_.format.complex) type = 'r' + type;
  if (samples_.format.type != RawType::i8 && samples_.format.type != RawType::u8) type += "_le";
  nlohmann::json capture{{"core:sample_start", 0}};
  if (samples_.format.complex) capture["core:frequency"] = samples_.centre;
  const nlohmann::json meta{{"global",
                             {{"core:datatype", type},
                              {"core:sample_rate", samples_.rate},
                              {"core:num_channels", 1},
                              {"core:version", "1.2.0"},
                              {"core:recorder", "imago"}}},
                            {"captures", {capture}},
                            {"annotations", nlohmann::json::array()}};
  return meta.dump(2) + "\n";
}

void SampleWriter::commit() {
  if (is_wave()) files_[0].file->replace_start(wave_head());
  if (files_.size() > 1) files_[1].file->write(sigmf_meta());
  for (const File& each : files_) each.file->commit();
}

std::vector<std::string> SampleWriter::paths() const {
  std::vector<std::string> paths;
  for (const File& each : files_) paths.push_back(each.path);
  return paths;
}

std::vector<std::string> SampleWriter::replaced() const {
  std::vector<std::string> paths;
  for (const File& each : files_)
    if (each.file->replaces()) paths.push_back(each.path);
  return paths;
}

}  // namespace imago::formats
