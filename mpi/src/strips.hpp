// This file describes a part of a packed array as strips of memory, for MPI's datatypes and for
// copies. It does not depend on MPI.
#pragma once

#include <cstddef>
#include <vector>

#include "shares.hpp"

namespace imago::mpi {

/// Strips of `bytes` bytes, the first at `offset`, repeated in nested loops.
struct Strips {
  struct Loop {
    std::size_t count = 1, stride = 0;  ///< bytes from one to the next
    friend bool operator==(const Loop&, const Loop&) = default;
  };
  std::size_t offset = 0, bytes = 0;  ///< bytes is 0 if the part is empty
  std::vector<Loop> loops = {};       ///< innermost first
  friend bool operator==(const Strips&, const Strips&) = default;
};

/// Returns the strips of `part` in an array that holds `container`: as few and as long as possible.
Strips strips(const Axes& order, const Box& container, const Box& part, std::size_t element_bytes);

/// A box whose elements lie in two memories with the same order.
struct BoxOrder {
  const Axes& order;
  const Box& box;
  std::size_t element_bytes;
};
struct CopyEnd {
  std::byte* data;
  Place place;
};
/// Copies with this number of threads.
void copy_box(const BoxOrder& what, const CopyEnd& from, const CopyEnd& to, std::size_t threads);

}  // namespace imago::mpi
