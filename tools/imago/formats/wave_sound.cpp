// This file extracts the parts of a RIFF file that its sound needs. The chunks are those of
// "Multimedia Programming Interface and Data Specifications 1.0" (1991), of EBU Tech 3306 (RF64)
// and of ITU-R BS.2088 (BW64).
#include "formats/wave_sound.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "formats/sound_view.hpp"

namespace imago::formats {
namespace {

constexpr unsigned kMostChunks = 4096;                   // more than a recording has
constexpr std::uint64_t kLongestFormat = 4096;           // a format has 16 to about 100 bytes
constexpr std::uint64_t kHead = 12;                      // "RIFF", a length, "WAVE"
constexpr std::uint64_t kChunkHead = 8;                  // a name and a length
constexpr std::uint64_t kSizes64 = 28;                   // a "ds64" with an empty table
constexpr std::uint64_t kWrap = std::uint64_t{1} << 32;  // lengths restart at 0 here
constexpr std::uint64_t kMostHead = 1 << 16;             // maximum of the presented bytes before
                                                         // the samples

/// Programs that cannot rewind their output write a sample length near this.
constexpr std::uint64_t kStreamSize = 0x7fff0000;

bool is_stream_size(std::uint64_t length) {
  return length == kNoSize || (length >= kStreamSize && length <= 0x7fffffff);
}

/// Returns the start of the file after its ID3v2 tags. A tag has 10 bytes and a length of four
/// times seven bits.
std::uint64_t behind_tags(const ByteSource& file) {
  std::uint64_t at = 0;
  for (;;) {
    const std::string tag = bytes_at(file, at, 10);
    if (tag.size() < 10 || !tag.starts_with("ID3")) return at;
    std::uint64_t length = 10;
    for (std::size_t i = 6; i < 10; ++i) length += std::uint64_t(tag[i] & 0x7f) << 7 * (9 - i);
    if (length >= file.size - at) return at;
    at += length;
  }
}

struct Chunk {
  std::string name;
  std::uint64_t at = 0, length = 0;  ///< position and size of the contents after the head
};

/// The required chunks of a RIFF file, up to its samples.
class Chunks {
 public:
  Chunks(const ByteSource& file, std::uint64_t start, const std::string& head)
      : file_(file),
        start_(start),
        big_endian_(head.starts_with("RIFX")),
        wide_(head.starts_with("RF64") || head.starts_with("BW64")),
        end_(number_at(head, 4, big_endian_)) {
    std::uint64_t at = start + kHead;
    for (unsigned i = 0; i < kMostChunks; ++i) {
      const auto chunk = chunk_at(at);
      if (!chunk) break;
      if (chunk->name == "data") {
        take_samples(*chunk);
        break;
      }
      take(*chunk);
      if (chunk->length >= file.size - chunk->at) break;
      at = behind(*chunk);
    }
  }

  std::optional<double> centre() const { return centre_; }

  /// Returns the required chunks, with correct lengths.
  View view() && {
    if (!found_) {
      view_.head = head_of(big_endian_ ? "RIFX" : "RIFF", chunks_.size());
    } else if (view_.size + kMostHead < kWrap) {
      chunks_ += "data" + number_bytes(view_.size, big_endian_);
      view_.head = head_of(big_endian_ ? "RIFX" : "RIFF", chunks_.size() + view_.size);
    } else {
      const std::uint64_t size =
          4 + kChunkHead + kSizes64 + chunks_.size() + kChunkHead + view_.size;
      view_.head = head_of("RF64", kNoSize) + "ds64" + number_bytes(kSizes64, false) +
                   wide_bytes(size) + wide_bytes(view_.size) +
                   wide_bytes(view_.size / std::max(1u, block_)) + std::string(4, '\0');
      chunks_ += "data" + number_bytes(kNoSize, false);
    }
    view_.head += chunks_;
    return std::move(view_);
  }

 private:
  std::string head_of(const char* kind, std::uint64_t behind) const {
    return kind + number_bytes(std::min<std::uint64_t>(4 + behind, kNoSize), big_endian_) + "WAVE";
  }
  static std::string wide_bytes(std::uint64_t number) {
    return number_bytes(number, false) + number_bytes(number >> 32, false);
  }

  std::optional<Chunk> chunk_at(std::uint64_t at) const {
    const std::string name = bytes_at(file_, at, kChunkHead);
    if (name.size() < kChunkHead) return {};
    return Chunk{name.substr(0, 4), at + kChunkHead, number_at(name, 4, big_endian_)};
  }
  std::uint64_t behind(const Chunk& chunk) const {
    return std::min(file_.size, chunk.at + chunk.length + chunk.length % 2);
  }

  void take(const Chunk& chunk) {
    if (chunk.name == "fmt " && !format_ && chunk.length <= kLongestFormat) {
      format_ = true;
      const std::string format = bytes_at(file_, chunk.at, chunk.length);
      if (format.size() >= 16) block_ = number_at(format, 12, big_endian_) & 0xffff;
      add(chunk.name, format, chunk.length);
    } else if (chunk.name == "auxi" && !centre_) {
      centre_ = centre_in(bytes_at(file_, chunk.at, std::min(chunk.length, kMostHead)));
    } else if (chunk.name == "fact" && !fact_ && chunk.length >= 4) {
      fact_ = true;
      add(chunk.name, bytes_at(file_, chunk.at, 4), 4);
    } else if (chunk.name == "ds64" && wide_ && !samples_ && chunk.length >= kSizes64 - 4) {
      std::string sizes = bytes_at(file_, chunk.at, kSizes64 - 4);  // sizes of the file, the
                                                                    // samples, ...
      sizes.resize(kSizes64);
      const auto wide = [&](std::size_t at) {
        return std::uint64_t{number_at(sizes, at + 4, false)} << 32 | number_at(sizes, at, false);
      };
      end_ = wide(0), samples_ = wide(8);
    }
  }

  /// Returns the frequency in the contents of "auxi": a number behind two times (SpectraVue, HDSDR,
  /// SDR#), or XML (SDR Console), whose letters may have two bytes.
  std::optional<double> centre_in(std::string contents) const {
    constexpr std::size_t kNumber = 32;
    if (!contents.starts_with('<')) {
      if (contents.size() < kNumber + 4) return {};
      return number_at(contents, kNumber, big_endian_);
    }
    std::erase(contents, '\0');
    constexpr std::string_view kName = "RadioCenterFreq=\"";
    const std::size_t at = contents.find(kName);
    if (at == contents.npos) return {};
    double hertz = 0;
    const char* const digits = contents.data() + at + kName.size();
    const auto [end, error] = std::from_chars(digits, contents.data() + contents.size(), hertz);
    return error == std::errc() && end != digits && std::isfinite(hertz) ? std::optional(hertz)
                                                                         : std::nullopt;
  }

  /// Adds a chunk, padded with zeros.
  void add(const std::string& name, std::string bytes, std::uint64_t length) {
    bytes.resize(length + length % 2);
    chunks_ += name + number_bytes(length, big_endian_) + bytes;
  }

  /// Adds the samples, which are the last required chunk.
  void take_samples(Chunk chunk) {
    found_ = true;
    const std::uint64_t there = file_.size - chunk.at;
    chunk.length = length_of(chunk, there);
    if (chunk.length > there) view_.note = kCutShort;
    chunk.length = std::min(chunk.length, there);
    view_.from = chunk.at;
    view_.size = chunk.length;
    look_for_more(chunk);
  }

  /// Returns the bytes of the samples; all bytes to the end if the header has no valid length.
  std::uint64_t length_of(const Chunk& chunk, std::uint64_t there) {
    const bool written = chunk.at < start_ + kChunkHead + end_;  // true if the file's length was
                                                                 // written
    std::uint64_t length = wide_ && samples_ ? *samples_ : chunk.length;
    if (length == std::numeric_limits<std::uint64_t>::max()) return there;
    if (length == 0 && there > 0 && (!written || end_ >= kNoSize)) {
      view_.note = kUnfinished;
      return there;
    }
    if (is_stream_size(length) && (length > there || there >= kWrap)) return there;
    if (wide_ && samples_) return length;
    const std::uint64_t wraps = (there - std::min(there, length)) / kWrap;
    if (wraps == 0) return length;
    view_.note = "longer than its header can say: read to its end";
    length += wraps * kWrap;
    return is_end({chunk.name, chunk.at, length}) ? length : there;
  }

  /// True if only chunks follow up to the end of the file.
  bool is_end(Chunk chunk) const {
    for (unsigned i = 0; i < kMostChunks && behind(chunk) < file_.size; ++i) {
      const auto next = chunk_at(behind(chunk));
      if (!next || next->length > file_.size - next->at) return false;
      chunk = *next;
    }
    return true;
  }

  void look_for_more(Chunk chunk) {
    for (unsigned i = 0; i < kMostChunks; ++i) {
      const auto next = chunk_at(behind(chunk));
      if (!next) return;
      chunk = *next;
      if (chunk.name != "data") continue;
      view_.note = fmt::format("a second data chunk of {} bytes is not read",
                               std::min(chunk.length, file_.size - chunk.at));
      return;
    }
  }

  const ByteSource& file_;
  const std::uint64_t start_;
  const bool big_endian_, wide_;
  std::uint64_t end_;  ///< bytes of the file after the first eight, according to its header
  bool found_ = false, format_ = false, fact_ = false;
  unsigned block_ = 0;  ///< bytes of a moment
  std::optional<double> centre_;
  std::optional<std::uint64_t> samples_;  ///< bytes of the samples, according to "ds64"
  std::string chunks_;
  View view_;
};

bool is_riff(const std::string& head) {
  constexpr std::array<std::string_view, 4> kKinds{"RIFF", "RIFX", "RF64", "BW64"};
  return head.size() == kHead && head.ends_with("WAVE") &&
         std::find(kKinds.begin(), kKinds.end(), head.substr(0, 4)) != kKinds.end();
}

}  // namespace

Sound sound_of(ByteSource file) {
  const std::uint64_t start = behind_tags(file);
  const std::string head = bytes_at(file, start, kHead);
  std::optional<double> centre;
  View view;
  if (is_riff(head)) {
    Chunks chunks(file, start, head);
    centre = chunks.centre();
    view = std::move(chunks).view();
  } else {
    view = finished(file, start);
  }
  std::string note = view.note;
  return {show(std::move(file), std::move(view)), std::move(note), centre};
}

}  // namespace imago::formats
