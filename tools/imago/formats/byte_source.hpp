// This file says where the bytes of a file come from that libsndfile reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace imago::formats {

/// Where the bytes of a recording are.
struct ByteSource {
  std::uint64_t size = 0;
  /// So many bytes from a place on; throws where they cannot be read.
  std::function<void(std::uint64_t from, char* bytes, std::size_t count)> read;
};

}  // namespace imago::formats
