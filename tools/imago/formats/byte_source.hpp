// This file defines the source of the bytes that libsndfile reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace imago::formats {

/// The bytes of a recording.
struct ByteSource {
  std::uint64_t size = 0;
  /// Reads `count` bytes starting at `from`; throws if that fails.
  std::function<void(std::uint64_t from, char* bytes, std::size_t count)> read;
};

}  // namespace imago::formats
