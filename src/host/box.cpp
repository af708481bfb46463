// This file iterates over the rows of boxes.
#include "host/box.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace imago::host {
namespace {

#ifdef __SSE2__

/// Copies as memcpy(), but bypasses the caches for writes. This keeps other data cached, and avoids
/// reading the target's cache lines first. Other threads see the data after fence_stores().
void copy_past_caches(char* to, const char* from, std::size_t bytes) {
  constexpr std::size_t kLine = 64, kWord = sizeof(__m128i);
  const std::size_t head =
      std::min(bytes, (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine);
  std::memcpy(to, from, head);
  const std::size_t end = head + (bytes - head) / kLine * kLine;
  for (std::size_t at = head; at < end; at += kLine) {
    __m128i words[kLine / kWord];
    for (std::size_t i = 0; i < kLine / kWord; ++i)
      words[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at + i * kWord));
    for (std::size_t i = 0; i < kLine / kWord; ++i)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + at + i * kWord), words[i]);
  }
  std::memcpy(to + end, from + end, bytes - end);
}

void fence_stores() { _mm_sfence(); }

#else  // normal copies

void copy_past_caches(char* to, const char* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

void fence_stores() {}

#endif

/// Calls visit(place in the array, place among the packed bytes, bytes) for each part of a row.
template <class Visit>
void for_each_row(const Box& box, std::size_t first, std::size_t bytes, Visit visit) {
  std::vector<std::size_t> index(box.repeats.size());
  std::size_t place = box.begin, left = first / box.row;
  for (std::size_t d = index.size(); d-- > 0;) {
    index[d] = left % box.repeats[d].count;
    left /= box.repeats[d].count;
    place += index[d] * box.repeats[d].stride;
  }
  std::size_t within = first % box.row;
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t piece = std::min(box.row - within, bytes - at);
    visit(place + within, at, piece);
    at += piece;
    within = 0;
    for (std::size_t d = index.size(); d-- > 0;) {
      place += box.repeats[d].stride;
      if (++index[d] < box.repeats[d].count) break;
      place -= box.repeats[d].count * box.repeats[d].stride;
      index[d] = 0;
    }
  }
}

/// True if the row at `place`, with the next packed bytes, continues `rows`.
bool goes_on(const Rows& rows, std::size_t place, std::size_t bytes) {
  if (bytes != rows.row || place <= rows.place) return false;
  if (rows.count == 1) return place >= rows.place + rows.row;
  return place == rows.place + rows.count * rows.pitch;
}

}  // namespace

std::vector<Rows> rows_of(const Box& box, std::size_t first, std::size_t bytes,
                          const std::vector<std::size_t>& breaks) {
  std::vector<Rows> found;
  bool apart = true;  // the next row begins after a break
  const auto add = [&](std::size_t place, std::size_t at, std::size_t row) {
    if (!apart && goes_on(found.back(), place, row)) {
      Rows& rows = found.back();
      rows.pitch = (place - rows.place) / rows.count++;
    } else {
      found.push_back({place, at, row});
    }
    apart = false;
  };
  auto next = breaks.begin();
  for_each_row(box, first, bytes, [&](std::size_t place, std::size_t at, std::size_t row) {
    if (next != breaks.begin() && place < *(next - 1))
      next = std::upper_bound(breaks.begin(), breaks.end(), place), apart = true;
    for (; next != breaks.end() && *next < place + row; ++next) {
      if (*next > place) {
        const std::size_t before = *next - place;
        add(place, at, before);
        place += before, at += before, row -= before;
      }
      apart = true;
    }
    add(place, at, row);
  });
  return found;
}

std::size_t Box::bytes() const {
  std::size_t all = row;
  for (const Repeat& repeat : repeats) all *= repeat.count;
  return all;
}

void gather(const Box& box, const char* array, std::size_t first, std::size_t bytes, char* packed) {
  for_each_row(box, first, bytes, [&](std::size_t place, std::size_t at, std::size_t piece) {
    std::memcpy(packed + at, array + place, piece);
  });
}

void scatter(const Box& box, char* array, std::size_t first, std::size_t bytes,
             const char* packed) {
  for_each_row(box, first, bytes, [&](std::size_t place, std::size_t at, std::size_t piece) {
    copy_past_caches(array + place, packed + at, piece);
  });
  fence_stores();
}

}  // namespace imago::host
