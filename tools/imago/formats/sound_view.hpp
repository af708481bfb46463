// This file presents a recording to libsndfile, and completes the headers of AIFF, CAF and AU files
// that their programs never closed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/file.hpp"

namespace imago::formats {

/// Returns at most `count` bytes; fewer at the end of the file.
std::string bytes_at(const ByteSource& file, std::uint64_t from, std::uint64_t count);
/// Returns the four bytes at a place as a number.
std::uint32_t number_at(std::string_view bytes, std::size_t at, bool big_endian);
std::string number_bytes(std::uint64_t number, bool big_endian);

/// A part of a file, after bytes of our own.
struct View {
  std::string head;
  std::uint64_t from = 0, size = 0;
  std::string note;  ///< about a wrong header; empty: none
};
ByteSource show(ByteSource file, View view);

/// Returns the file starting at `start`; unknown lengths of samples extend to its end.
View finished(const ByteSource& file, std::uint64_t start);

inline constexpr std::uint32_t kNoSize = 0xffffffff;  ///< marks an unknown length
inline constexpr const char* kUnfinished = "its header was never finished: read to its end";
inline constexpr const char* kCutShort = "cut short: its header says more";

}  // namespace imago::formats
