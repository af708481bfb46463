// This file makes the files that the command's tests read.
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "formats/sound_file.hpp"
#include "support/folder.hpp"

namespace imago::test {

/// Returns the bytes of a number, little-endian.
template <class T>
std::string raw(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Returns a .npy file of version 1 with this header text.
inline std::string npy_with(const std::string& header, const std::string& data) {
  return std::string("\x93NUMPY\1\0", 8) + raw(static_cast<std::uint16_t>(header.size())) + header +
         data;
}

struct WavFormat {
  std::uint16_t tag = 1, channels = 1;
  std::uint32_t rate = 8000;
  std::uint16_t bits = 16;
};
inline std::string wav_chunk(const std::string& id, const std::string& data) {
  return id + raw(static_cast<std::uint32_t>(data.size())) + data +
         std::string(data.size() % 2, '\0');
}
inline std::string wav_format(const WavFormat& format, const std::string& extension = {}) {
  const auto block = static_cast<std::uint16_t>(format.channels * format.bits / 8);
  return wav_chunk("fmt ", raw(format.tag) + raw(format.channels) + raw(format.rate) +
                               raw(format.rate * block) + raw(block) + raw(format.bits) +
                               extension);
}
inline std::string riff(const std::string& chunks) {
  return "RIFF" + raw(static_cast<std::uint32_t>(4 + chunks.size())) + "WAVE" + chunks;
}
inline std::string wav_with(const WavFormat& format, const std::string& samples) {
  return riff(wav_format(format) + wav_chunk("data", samples));
}

/// Returns bytes in memory as a source; they must outlive it.
inline formats::ByteSource source_of(const std::string& bytes) {
  return {bytes.size(), [&bytes](std::uint64_t from, char* to, std::size_t count) {
            bytes.copy(to, count, from);
          }};
}
/// Returns a recording that reads bytes in memory; they must outlive it.
inline formats::SoundFile recording_of(const std::string& bytes) {
  return formats::SoundFile(source_of(bytes));
}

/// A new folder that is removed when the test ends.
class TemporaryFolder {
 public:
  std::filesystem::path operator/(const std::string& name) const { return folder_.path() / name; }
  std::size_t files() const { return folder_.files().size(); }

 private:
  Folder folder_;
};

inline void spill(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace imago::test
