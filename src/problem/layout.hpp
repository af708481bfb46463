// This file says where the elements of one side of a transform lie, and whether two of them meet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace imago::problem {

/// One side as the caller described it.
struct SideRequest {
  const Layout& layout;
  const char* name;                         ///< "signal" or "spectrum", for messages
  std::vector<std::uint64_t> lengths = {};  ///< extents of the side
  std::vector<std::uint64_t> padded = {};   ///< extents that packed strides step over
  std::uint64_t batch = 1;
  bool written = false;
  bool real = false;  ///< its elements are real numbers
  std::size_t element_bytes = 8;
  /// The part that memory holds: all indices at least `begin`, below it and `lengths`. Empty: 0.
  std::vector<std::uint64_t> begin = {};
};

/// Fills in what the layout leaves open. Throws InvalidArgument for zero strides of what is
/// written, for addresses beyond 64 bits, and for elements that are written and share an address;
/// Unsupported for dimensions that are written and interleave without sharing one.
Side make_side(const SideRequest& request);

/// Where a side's elements lie, as a caller says it; the distance is 0 where the batch is 1.
Layout layout_of(const Side& side, std::uint64_t batch);

/// Whether two sides with the same offset consist of the same addresses, in any order.
bool cover_the_same(const Side& a, const Side& b, std::uint64_t batch);

/// In place with a real axis: whether each row of the spectrum begins where its row of the signal
/// does, both without gaps and apart from other rows, so that one can be written over the other.
bool rows_meet(const Problem& problem);

}  // namespace imago::problem
