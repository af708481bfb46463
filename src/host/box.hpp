// This file says where a part of an array lies in host memory, and copies it to and from packed
// memory.
#pragma once

#include <cstddef>
#include <vector>

namespace imago::host {

/// `count` of what is faster, `stride` bytes from one to the next.
struct Repeat {
  std::size_t count = 1, stride = 0;
  friend bool operator==(const Repeat&, const Repeat&) = default;
};

/// Rows of bytes of an array. Packed, they lie one behind the other.
struct Box {
  std::size_t begin = 0;             ///< of the first row, from the array's begin
  std::size_t row = 0;               ///< bytes of each
  std::vector<Repeat> repeats = {};  ///< of the rows, slowest first
  friend bool operator==(const Box&, const Box&) = default;

  std::size_t bytes() const;
  /// Whether it is packed in the array.
  bool is_span() const { return repeats.empty(); }
};

/// Rows at equal distances, as one copy takes them.
struct Rows {
  std::size_t place = 0;  ///< of the first, in the array
  std::size_t at = 0;     ///< and among the packed bytes
  std::size_t row = 0, count = 1, pitch = 0;
  friend bool operator==(const Rows&, const Rows&) = default;
};
/// Packed bytes, from `first` on, as rows of the array, none of which goes across a place of
/// `breaks`, in order.
std::vector<Rows> rows_of(const Box& box, std::size_t first, std::size_t bytes,
                          const std::vector<std::size_t>& breaks = {});

/// Copies packed bytes, from `first` on, out of the array.
void gather(const Box& box, const char* array, std::size_t first, std::size_t bytes, char* packed);
/// Copies them back into it, past the caches: `packed` holds those from `first` on.
void scatter(const Box& box, char* array, std::size_t first, std::size_t bytes, const char* packed);

}  // namespace imago::host
