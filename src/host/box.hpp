// This file describes the position of a sub-array (box) in host memory, and copies it to and from
// packed memory.
#pragma once

#include <cstddef>
#include <vector>

namespace imago::host {

/// `count` repetitions of the next faster level, `stride` bytes apart.
struct Repeat {
  std::size_t count = 1, stride = 0;
  friend bool operator==(const Repeat&, const Repeat&) = default;
};

/// Rows of bytes of an array. In packed form, each row directly follows the previous one.
struct Box {
  std::size_t begin = 0;             ///< start of the first row, in bytes from the start of the
                                     ///< array
  std::size_t row = 0;               ///< bytes of each row
  std::vector<Repeat> repeats = {};  ///< positions of the rows, slowest first
  friend bool operator==(const Box&, const Box&) = default;

  std::size_t bytes() const;
  /// True if the box is contiguous in the array.
  bool is_span() const { return repeats.empty(); }
};

/// Rows at equal distances, which one copy command can copy.
struct Rows {
  std::size_t place = 0;  ///< position of the first row in the array
  std::size_t at = 0;     ///< position of the first row among the packed bytes
  std::size_t row = 0, count = 1, pitch = 0;
  friend bool operator==(const Rows&, const Rows&) = default;
};
/// Returns packed bytes, starting at `first`, as rows of the array, in order. No row crosses a
/// place in `breaks`.
std::vector<Rows> rows_of(const Box& box, std::size_t first, std::size_t bytes,
                          const std::vector<std::size_t>& breaks = {});

/// Copies packed bytes, starting at `first`, out of the array.
void gather(const Box& box, const char* array, std::size_t first, std::size_t bytes, char* packed);
/// Copies packed bytes into the array, bypassing the caches; `packed` holds the bytes starting at
/// `first`.
void scatter(const Box& box, char* array, std::size_t first, std::size_t bytes, const char* packed);

}  // namespace imago::host
