// This file completes headers: AIFF as in Apple's "Audio Interchange File Format AIFF-C" (1991),
// CAF as in Apple's "Core Audio Format Specification 1.0", AU as in Sun's manual page
// audio_file_format(5).
#include "formats/sound_view.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace imago::formats {

std::string bytes_at(const ByteSource& file, std::uint64_t from, std::uint64_t count) {
  std::string bytes(std::min(count, file.size - std::min(file.size, from)), '\0');
  if (!bytes.empty()) file.read(from, bytes.data(), bytes.size());
  return bytes;
}

std::uint32_t number_at(std::string_view bytes, std::size_t at, bool big_endian) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes.at(at + (big_endian ? i : 3 - i)));
  return number;
}

std::string number_bytes(std::uint64_t number, bool big_endian) {
  std::string bytes(4, '\0');
  for (std::size_t i = 0; i < 4; ++i)
    bytes[big_endian ? 3 - i : i] = static_cast<char>(number >> 8 * i & 0xff);
  return bytes;
}

ByteSource show(ByteSource file, View view) {
  const std::uint64_t size = view.head.size() + view.size;
  return {size, [file = std::move(file), view = std::move(view)](std::uint64_t from, char* bytes,
                                                                 std::size_t count) {
            const std::uint64_t heads = view.head.size();
            if (from < heads) {
              const auto own =
                  static_cast<std::size_t>(std::min<std::uint64_t>(count, heads - from));
              std::memcpy(bytes, view.head.data() + from, own);
              from += own, bytes += own, count -= own;
            }
            if (count > 0) file.read(view.from + (from - heads), bytes, count);
          }};
}

namespace {

constexpr unsigned kMostAiffChunks = 4096, kMostCafChunks = 4096;
constexpr std::uint64_t kMostBefore = std::uint64_t{1} << 24;  // maximum bytes of chunks before the
                                                               // samples
constexpr std::uint64_t kAiffBlocks = 8;  // before AIFF's samples: an offset and a size

/// Returns the bytes of the samples of one moment, from the beginning of "COMM".
std::uint64_t moment_bytes(const std::string& common) {
  const auto byte = [&](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(common[i])};
  };
  const std::uint64_t channels = byte(0) << 8 | byte(1), bits = byte(6) << 8 | byte(7);
  const std::string encoding = common.substr(18);
  const bool bytes =
      encoding == "ulaw" || encoding == "ULAW" || encoding == "alaw" || encoding == "ALAW";
  return channels * (bytes ? 1 : (bits + 7) / 8);
}

/// Completes an AIFF file whose "SSND" has no length; the samples then end with the file.
void finish_aiff(const ByteSource& file, View& view) {
  std::uint64_t at = view.from + 12, frames_at = 0, moment = 0;
  for (unsigned i = 0; i < kMostAiffChunks && at - view.from < kMostBefore; ++i) {
    const std::string head = bytes_at(file, at, 8);
    if (head.size() < 8) return;
    const std::uint64_t length = number_at(head, 4, true), there = file.size - at - 8;
    if (head.starts_with("COMM")) {
      const std::string common = bytes_at(file, at + 8, 22);
      if (common.size() < 18) return;
      frames_at = at + 8 + 2, moment = moment_bytes(common);
    }
    if (head.starts_with("SSND")) {
      if (moment == 0 || there <= kAiffBlocks || (length > kAiffBlocks && length <= there)) return;
      if (length > kAiffBlocks && length != kNoSize) return;  // truncated
      view.head = bytes_at(file, view.from, at + 8 + kAiffBlocks - view.from);
      const std::uint64_t frames = (there - kAiffBlocks) / moment;
      const auto put = [&](std::uint64_t place, std::uint64_t number) {
        view.head.replace(place - view.from, 4,
                          number_bytes(std::min<std::uint64_t>(number, kNoSize), true));
      };
      put(view.from + 4, file.size - view.from - 8);
      put(frames_at, frames);
      put(at + 4, there);
      view.from = at + 8 + kAiffBlocks;
      view.size = frames * moment;
      view.note = kUnfinished;
      return;
    }
    at += 8 + length + length % 2;
  }
}

/// Completes a CAF file whose "data" has no length; the samples then end with the file. The length
/// is -1, which programs may leave there and libsndfile 1.2 rejects, or 0.
void finish_caf(const ByteSource& file, View& view) {
  constexpr std::uint64_t kChunkHead = 12, kEditCount = 4;
  std::uint64_t at = view.from + 8;
  for (unsigned i = 0; i < kMostCafChunks && at - view.from < kMostBefore; ++i) {
    const std::string head = bytes_at(file, at, kChunkHead);
    if (head.size() < kChunkHead) return;
    const std::uint64_t there = file.size - at - kChunkHead;
    const std::uint64_t length =
        std::uint64_t{number_at(head, 4, true)} << 32 | number_at(head, 8, true);
    if (head.starts_with("data")) {
      const bool open = length == std::numeric_limits<std::uint64_t>::max();
      if ((!open && length != 0) || there <= kEditCount) return;
      view.head = bytes_at(file, view.from, at + 4 - view.from) + number_bytes(there >> 32, true) +
                  number_bytes(there & kNoSize, true);
      view.from += view.head.size(), view.size -= view.head.size();
      if (!open) view.note = kUnfinished;
      return;
    }
    if (length > there) return;
    at += kChunkHead + length;
  }
}

/// Completes an AU file. AU marks an unknown length by a special number that is not 0.
void finish_au(View& view, const std::string& head, bool big_endian) {
  const std::uint64_t samples = number_at(head, 4, big_endian);
  if (number_at(head, 8, big_endian) != 0 || samples >= view.size) return;
  view.head = head.substr(0, 8) + number_bytes(kNoSize, big_endian);
  view.from += view.head.size(), view.size -= view.head.size();
  view.note = kUnfinished;
}

}  // namespace

View finished(const ByteSource& file, std::uint64_t start) {
  View view{.head = {}, .from = start, .size = file.size - start, .note = {}};
  const std::string head = bytes_at(file, start, 12);
  if (head.size() < 12) return view;
  if (head.starts_with("FORM") && (head.ends_with("AIFF") || head.ends_with("AIFC")))
    finish_aiff(file, view);
  if (head.starts_with("caff")) finish_caf(file, view);
  if (head.starts_with(".snd") || head.starts_with("dns."))
    finish_au(view, head, head.starts_with(".snd"));
  return view;
}

}  // namespace imago::formats
