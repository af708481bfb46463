// This file takes from a RIFF file what its sound needs. The chunks are those of "Multimedia
// Programming Interface and Data Specifications 1.0" (1991) and of EBU Tech 3306 (RF64).
#include "formats/wave_sound.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace imago::formats {
namespace {

constexpr unsigned kMostChunks = 4096;          // more than a recording has
constexpr std::uint64_t kLongestFormat = 4096;  // a format has 16 to some 100 bytes
constexpr std::uint64_t kHead = 12;             // "RIFF", a length, "WAVE"
constexpr std::uint64_t kChunkHead = 8;         // a name and a length
constexpr std::uint64_t kSizes64 = 28;          // a "ds64" whose table is empty

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

/// Where a file begins whose ID3v2 tags, 10 bytes and as many as four times seven bits say, are
/// left out.
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

/// What is shown of a file: bytes of our own, and behind them a part of it.
struct View {
  std::string head;
  std::uint64_t from = 0, size = 0;
};

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

/// The chunks of a RIFF file that are kept, up to its samples.
class Chunks {
 public:
  Chunks(const ByteSource& file, std::uint64_t start, const std::string& head)
      : file_(file), big_endian_(head.starts_with("RIFX")), wide_(head.starts_with("RF64")) {
    view_.head = head;
    unclosed_ = number_at(head, 4, big_endian_) == 8;
    std::uint64_t at = start + kHead;
    for (unsigned chunk = 0; chunk < kMostChunks; ++chunk) {
      const std::string name = bytes_at(file, at, kChunkHead);
      if (name.size() < kChunkHead) break;
      at += kChunkHead;
      const std::uint64_t length = number_at(name, 4, big_endian_);
      if (name.starts_with("data")) {
        take_samples(at, length);
        break;
      }
      take(name.substr(0, 4), at, length);
      if (length >= file.size - at) break;
      at = std::min(file.size, at + length + length % 2);
    }
  }

  View view() && { return std::move(view_); }

 private:
  void take(const std::string& name, std::uint64_t at, std::uint64_t length) {
    if (name == "fmt " && !format_ && length <= kLongestFormat) {
      format_ = true;
      add(name, bytes_at(file_, at, length), length);
    } else if (name == "fact" && !fact_ && length >= 4) {
      fact_ = true;
      add(name, bytes_at(file_, at, 4), 4);
    } else if (name == "ds64" && wide_ && !sizes_ && length >= kSizes64 - 4) {
      sizes_ = true;
      std::string sizes = bytes_at(file_, at, kSizes64 - 4);  // of the file, the samples, a count
      sizes.resize(kSizes64);
      samples_ = std::uint64_t{number_at(sizes, 12, false)} << 32 | number_at(sizes, 8, false);
      add(name, std::move(sizes), kSizes64);
    }
  }

  /// A chunk of a name, whose missing bytes are zero.
  void add(const std::string& name, std::string bytes, std::uint64_t length) {
    bytes.resize(length + length % 2);
    view_.head += name + number_bytes(length, big_endian_) + bytes;
  }

  /// The last chunk: the samples go on to the file's end where their length is not known, as in
  /// what was written to a pipe or never closed.
  void take_samples(std::uint64_t at, std::uint64_t length) {
    view_.head += "data" + number_bytes(length, big_endian_);
    if (length == 0 && unclosed_) length = file_.size;
    if (wide_ && sizes_) length = samples_;
    const std::uint64_t there = file_.size - at;
    view_.from = at;
    view_.size = length < there ? std::min(there, length + length % 2) : there;
  }

  const ByteSource& file_;
  View view_;
  bool big_endian_, wide_;
  bool unclosed_ = false, format_ = false, fact_ = false, sizes_ = false;
  std::uint64_t samples_ = 0;  ///< bytes of them, by "ds64"
};

bool is_riff(const std::string& head) {
  constexpr std::array<std::string_view, 3> kKinds{"RIFF", "RIFX", "RF64"};
  return head.size() == kHead && head.ends_with("WAVE") &&
         std::find(kKinds.begin(), kKinds.end(), head.substr(0, 4)) != kKinds.end();
}

}  // namespace

ByteSource sound_of(ByteSource file) {
  const std::uint64_t start = behind_tags(file);
  const std::string head = bytes_at(file, start, kHead);
  View view = is_riff(head) ? Chunks(file, start, head).view()
                            : View{.head = {}, .from = start, .size = file.size - start};
  return show(std::move(file), std::move(view));
}

}  // namespace imago::formats
