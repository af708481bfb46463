// This file describes a part of a packed array as strips of memory, which is what MPI's datatypes
// are made of and what copies go along. It knows no MPI.
#pragma once

#include <cstddef>
#include <vector>

#include "shares.hpp"

namespace imago::mpi {

/// Strips of `bytes` from `offset` on, repeated in nested loops.
struct Strips {
  struct Loop {
    std::size_t count = 1, stride = 0;  ///< bytes from one to the next
    friend bool operator==(const Loop&, const Loop&) = default;
  };
  std::size_t offset = 0, bytes = 0;  ///< bytes 0: there is nothing
  std::vector<Loop> loops = {};       ///< innermost first
  friend bool operator==(const Strips&, const Strips&) = default;
};

/// Of a part of an array that holds `container`, with as few and long strips as there are.
Strips strips(const Axes& order, const Box& container, const Box& part, std::size_t element_bytes);

/// A box whose elements lie in two memories of the same order.
struct BoxOrder {
  const Axes& order;
  const Box& box;
  std::size_t element_bytes;
};
struct CopyEnd {
  std::byte* data;
  Place place;
};
/// By so many threads.
void copy_box(const BoxOrder& what, const CopyEnd& from, const CopyEnd& to, std::size_t threads);

}  // namespace imago::mpi
