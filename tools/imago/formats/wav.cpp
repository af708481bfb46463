// This file reads RIFF WAVE files (Microsoft, Multimedia Programming Interface 1.0, and its
// WAVE_FORMAT_EXTENSIBLE).
#include "formats/wav.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace imago::formats {
namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are copied as they lie in files");

constexpr std::uint16_t kPcm = 1, kFloat = 3, kExtensible = 0xfffe;

template <class T>
T get(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Chunks {
  std::string format;
  std::uint64_t data_start = 0, data_bytes = 0;
};

constexpr std::uint32_t kMostFormat = 1024;  ///< what is behind that much of it says nothing

/// The two chunks that matter; the others are stepped over.
Chunks find_chunks(std::uint64_t size, const ReadBytes& read) {
  std::string head(12, '\0');
  if (size >= head.size()) read(0, head.data(), head.size());
  if (head.substr(0, 4) != "RIFF" || head.substr(8, 4) != "WAVE")
    throw FormatError("is not a RIFF WAVE file");
  Chunks chunks;
  std::uint64_t at = head.size();
  for (head.resize(8); at + head.size() <= size;) {
    read(at, head.data(), head.size());
    at += head.size();
    const std::string id = head.substr(0, 4);
    const auto bytes = get<std::uint32_t>(head, 4);
    if (bytes > size - at)
      throw FormatError("is truncated: chunk '" + id + "' needs " + std::to_string(bytes) +
                        " bytes, the file has " + std::to_string(size - at));
    if (id == "fmt ") {
      chunks.format.resize(std::min(bytes, kMostFormat));
      read(at, chunks.format.data(), chunks.format.size());
    }
    if (id == "data") {
      chunks.data_start = at;
      chunks.data_bytes = bytes;
      break;
    }
    at += std::min<std::uint64_t>(bytes + bytes % 2, size - at);  // chunks have even lengths
  }
  if (chunks.format.size() < 16) throw FormatError("has no format before its samples");
  if (chunks.data_bytes == 0) throw FormatError("has no samples");
  return chunks;
}

double pcm(std::string_view bytes, unsigned bits) {
  switch (bits) {
    case 8:
      return (get<std::uint8_t>(bytes, 0) - 128) / 128.0;
    case 16:
      return get<std::int16_t>(bytes, 0) / 32768.0;
    case 24: {
      const std::uint32_t low = get<std::uint16_t>(bytes, 0), high = get<std::uint8_t>(bytes, 2);
      return static_cast<std::int32_t>(high << 24 | low << 8) / 2147483648.0;
    }
    default:
      return get<std::int32_t>(bytes, 0) / 2147483648.0;
  }
}

double sample(std::string_view bytes, const WavHeader& wav) {
  if (!wav.floating) return pcm(bytes, wav.bits);
  return wav.bits == 32 ? get<float>(bytes, 0) : get<double>(bytes, 0);
}

bool known(unsigned tag, unsigned bits) {
  if (tag == kFloat) return bits == 32 || bits == 64;
  return tag == kPcm && (bits == 8 || bits == 16 || bits == 24 || bits == 32);
}

}  // namespace

WavHeader read_wav_header(std::uint64_t size, const ReadBytes& read) {
  const Chunks chunks = find_chunks(size, read);
  const std::string_view format = chunks.format;
  WavHeader wav;
  unsigned tag = get<std::uint16_t>(format, 0);
  wav.channels = get<std::uint16_t>(format, 2);
  wav.rate = get<std::uint32_t>(format, 4);
  const std::size_t block = get<std::uint16_t>(format, 12);
  wav.bits = get<std::uint16_t>(format, 14);
  // The real tag opens the identifier of the sub-format.
  if (tag == kExtensible && format.size() >= 40) tag = get<std::uint16_t>(format, 24);
  wav.floating = tag == kFloat;
  if (!known(tag, wav.bits)) {
    throw FormatError("has samples of format " + std::to_string(tag) + " with " +
                      std::to_string(wav.bits) +
                      " bits; known are PCM of 8, 16, 24 and 32 bits and float of 32 and 64");
  }
  if (wav.rate == 0 || wav.channels == 0 || block != wav.moment_bytes()) {
    throw FormatError("has a damaged format: " + std::to_string(wav.channels) + " channels of " +
                      std::to_string(wav.bits) + " bits in blocks of " + std::to_string(block) +
                      " bytes, " + std::to_string(wav.rate) + " Hz");
  }
  if (chunks.data_bytes % block != 0) throw FormatError("is truncated inside a sample");
  wav.data_start = chunks.data_start;
  wav.data_bytes = chunks.data_bytes;
  return wav;
}

Wav parse_wav(std::string_view bytes) {
  Wav wav{
      read_wav_header(bytes.size(), [&](std::uint64_t from, char* to,
                                        std::size_t count) { bytes.substr(from).copy(to, count); }),
      {}};
  const std::string_view data = bytes.substr(wav.data_start, wav.data_bytes);
  const std::size_t step = wav.bits / 8;
  wav.samples.resize(data.size() / step);
  for (std::size_t i = 0; i < wav.samples.size(); ++i)
    wav.samples[i] = sample(data.substr(i * step, step), wav);
  return wav;
}

void to_numbers(const WavHeader& header, std::string_view bytes, float* numbers) {
  const std::size_t step = header.bits / 8;
  for (std::size_t at = 0; at < bytes.size(); at += step)
    *numbers++ = static_cast<float>(sample(bytes.substr(at, step), header));
}

}  // namespace imago::formats
