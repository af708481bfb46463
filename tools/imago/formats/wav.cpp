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
  std::string_view format, data;
};

/// The two chunks that matter; the others are stepped over.
Chunks find_chunks(std::string_view bytes) {
  if (bytes.size() < 12 || bytes.substr(0, 4) != "RIFF" || bytes.substr(8, 4) != "WAVE") {
    throw FormatError("is not a RIFF WAVE file");
  }
  Chunks chunks;
  bytes.remove_prefix(12);
  while (bytes.size() >= 8) {
    const std::string_view id = bytes.substr(0, 4);
    const std::size_t size = get<std::uint32_t>(bytes, 4);
    bytes.remove_prefix(8);
    if (size > bytes.size()) {
      throw FormatError("is truncated: chunk '" + std::string(id) + "' needs " +
                        std::to_string(size) + " bytes, the file has " +
                        std::to_string(bytes.size()));
    }
    if (id == "fmt ") chunks.format = bytes.substr(0, size);
    if (id == "data") {
      chunks.data = bytes.substr(0, size);
      break;
    }
    bytes.remove_prefix(std::min(size + size % 2, bytes.size()));  // chunks have even lengths
  }
  if (chunks.format.size() < 16) throw FormatError("has no format before its samples");
  if (chunks.data.empty()) throw FormatError("has no samples");
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

double sample(std::string_view bytes, const Wav& wav) {
  if (!wav.floating) return pcm(bytes, wav.bits);
  return wav.bits == 32 ? get<float>(bytes, 0) : get<double>(bytes, 0);
}

bool known(unsigned tag, unsigned bits) {
  if (tag == kFloat) return bits == 32 || bits == 64;
  return tag == kPcm && (bits == 8 || bits == 16 || bits == 24 || bits == 32);
}

}  // namespace

Wav parse_wav(std::string_view bytes) {
  const auto [format, data] = find_chunks(bytes);
  Wav wav;
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
  const std::size_t step = wav.bits / 8;
  if (wav.rate == 0 || wav.channels == 0 || block != wav.channels * step) {
    throw FormatError("has a damaged format: " + std::to_string(wav.channels) + " channels of " +
                      std::to_string(wav.bits) + " bits in blocks of " + std::to_string(block) +
                      " bytes, " + std::to_string(wav.rate) + " Hz");
  }
  if (data.size() % block != 0) throw FormatError("is truncated inside a sample");
  wav.samples.resize(data.size() / step);
  for (std::size_t i = 0; i < wav.samples.size(); ++i) {
    wav.samples[i] = sample(data.substr(i * step, step), wav);
  }
  return wav;
}

}  // namespace imago::formats
