// This file writes PNG: chunks with a CRC around a zlib stream (RFC 1950) of stored blocks.
#include "formats/png.hpp"

#include <algorithm>

namespace imago::formats {
namespace {

void append_big_endian(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
}
void append_little_endian(std::string& bytes, std::size_t value) {
  bytes += static_cast<char>(value & 0xff);
  bytes += static_cast<char>(value >> 8 & 0xff);
}

/// ISO 3309, as PNG asks for.
std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const unsigned char byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t low = 1, high = 0;
  for (const unsigned char byte : bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return high << 16 | low;
}

std::string chunk(const std::string& type, const std::string& data) {
  std::string bytes;
  append_big_endian(bytes, static_cast<std::uint32_t>(data.size()));
  bytes += type + data;
  append_big_endian(bytes, crc32(type + data));
  return bytes;
}

std::string zlib_stored(std::string_view data) {
  constexpr std::size_t kBlock = 65535;
  std::string bytes = "\x78\x01";
  for (std::size_t at = 0; at < data.size(); at += kBlock) {
    const std::size_t size = std::min(kBlock, data.size() - at);
    bytes += static_cast<char>(at + size == data.size());  // the last block says so
    append_little_endian(bytes, size);
    append_little_endian(bytes, ~size);
    bytes += data.substr(at, size);
  }
  append_big_endian(bytes, adler32(data));
  return bytes;
}

}  // namespace

std::string png(std::size_t width, std::size_t height, const std::vector<std::uint8_t>& pixels,
                const std::vector<Colour>& palette) {
  std::string head, colours, rows;
  append_big_endian(head, static_cast<std::uint32_t>(width));
  append_big_endian(head, static_cast<std::uint32_t>(height));
  head += {8, 3, 0, 0,
           0};  // 8 bits per pixel, palette; the only compression and filter; not interlaced
  for (const Colour& colour : palette) colours.append(colour.begin(), colour.end());
  for (std::size_t y = 0; y < height; ++y) {
    rows += '\0';  // filter of the row: none
    const auto row = pixels.begin() + static_cast<std::ptrdiff_t>(y * width);
    rows.append(row, row + static_cast<std::ptrdiff_t>(width));
  }
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("PLTE", colours) +
         chunk("IDAT", zlib_stored(rows)) + chunk("IEND", "");
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += at + i <= bytes.size() ? kDigits[group >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

}  // namespace imago::formats
