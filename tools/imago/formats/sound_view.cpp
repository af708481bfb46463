// This file implements the view of a recording that libsndfile reads.
#include "formats/sound_view.hpp"

#include <algorithm>
#include <cstring>
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

}  // namespace imago::formats
