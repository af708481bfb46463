// This file reads the headers of tar archives.
#include "formats/tar.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "formats/sound_view.hpp"

namespace imago::formats {
namespace {

constexpr std::uint64_t kBlock = 512, kMostName = 1 << 16;
constexpr std::size_t kMostFiles = 4096;

/// Returns the text of a field, which ends with a zero or fills it.
std::string text_of(std::string_view header, std::size_t at, std::size_t length) {
  const std::string_view field = header.substr(at, length);
  return std::string(field.substr(0, field.find('\0')));
}

[[noreturn]] void damaged() {
  throw FormatError("is a damaged tar archive: a header has no checksum or no size");
}

/// Returns a number in octal digits, or in GNU's binary form.
std::uint64_t number_of(std::string_view header, std::size_t at, std::size_t length) {
  std::uint64_t number = 0;
  if ((header[at] & 0x80) != 0) {
    for (std::size_t i = at + length - 8; i < at + length; ++i)
      number = number << 8 | static_cast<unsigned char>(header[i]);
    return number;
  }
  std::string digits = text_of(header, at, length);
  std::erase(digits, ' ');
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, 8);
  if (error != std::errc() || end != digits.data() + digits.size()) damaged();
  return number;
}

/// The sum of the bytes, in which the checksum itself counts as spaces.
bool has_right_sum(std::string_view header) {
  constexpr std::size_t kAt = 148, kLength = 8;
  std::uint64_t sum = kLength * ' ';
  for (std::size_t i = 0; i < header.size(); ++i)
    if (i < kAt || i >= kAt + kLength) sum += static_cast<unsigned char>(header[i]);
  return sum == number_of(header, kAt, kLength);
}

/// Returns the value of a pax header's record, "LENGTH KEY=VALUE\n"; empty if there is none.
std::string record_of(std::string_view records, std::string_view key) {
  while (!records.empty()) {
    std::size_t length = 0;
    const auto [end, error] =
        std::from_chars(records.data(), records.data() + records.size(), length);
    const auto head = static_cast<std::size_t>(end - records.data()) + 1;
    if (error != std::errc() || length <= head || length > records.size()) damaged();
    const std::string_view record = records.substr(head, length - head - 1);
    if (record.starts_with(key) && record.substr(key.size()).starts_with('='))
      return std::string(record.substr(key.size() + 1));
    records.remove_prefix(length);
  }
  return {};
}

}  // namespace

std::vector<TarFile> tar_files(const ByteSource& archive) {
  std::vector<TarFile> files;
  std::string long_name, records;
  for (std::uint64_t at = 0; archive.size - at >= kBlock;) {
    const std::string header = bytes_at(archive, at, kBlock);
    if (header.find_first_not_of('\0') == header.npos) break;  // the end
    if (!has_right_sum(header)) damaged();
    std::uint64_t size = number_of(header, 124, 12);
    if (const std::string own = record_of(records, "size"); !own.empty())
      std::from_chars(own.data(), own.data() + own.size(), size);
    const char kind = header[156];
    at += kBlock;
    if (size > archive.size - at)
      throw FormatError("is a tar archive that is cut short: a file in it is longer");
    if (kind == 'x' || kind == 'L') {
      if (size > kMostName) damaged();
      const std::string contents = bytes_at(archive, at, size);
      (kind == 'x' ? records : long_name) = kind == 'x' ? contents : text_of(contents, 0, size);
    } else if (kind == '0' || kind == '\0') {
      std::string name = text_of(header, 0, 100);
      if (const std::string folder = text_of(header, 345, 155);
          header.substr(257, 6) == std::string("ustar\0", 6) && !folder.empty())
        name = folder + "/" + name;
      if (!long_name.empty()) name = long_name;
      if (const std::string path = record_of(records, "path"); !path.empty()) name = path;
      files.push_back({std::move(name), at, size});
      if (files.size() > kMostFiles) throw FormatError("is a tar archive of too many files");
    }
    if (kind != 'x' && kind != 'L') records.clear(), long_name.clear();
    const std::uint64_t padded = (size + kBlock - 1) / kBlock * kBlock;
    at += std::min(padded, archive.size - at);
  }
  return files;
}

}  // namespace imago::formats
