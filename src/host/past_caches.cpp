// This file implements copies that bypass the caches on x86; elsewhere they are normal copies.
#include "host/past_caches.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace imago::host {

#ifdef __SSE2__

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

#else

void copy_past_caches(char* to, const char* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

void fence_stores() {}

#endif

}  // namespace imago::host
