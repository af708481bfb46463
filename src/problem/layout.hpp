// This file computes the addresses of the elements of one side of a transform, and checks that no
// two elements share an address.
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
  /// First index of the part that is in memory, along each axis; `lengths` are its extents. Empty:
  /// 0.
  std::vector<std::uint64_t> begin = {};
};

/// Returns the side with the defaults of its layout filled in. Throws InvalidArgument for zero
/// strides of a written side, for addresses beyond 64 bits, and for written elements that share an
/// address. Throws Unsupported for dimensions of a written side that interleave without sharing
/// one.
Side make_side(const SideRequest& request);

/// Returns the layout with packed strides and distance if it has none.
Layout filled(Layout layout, const std::vector<std::size_t>& lengths);

/// Returns the public description of a side's layout; the distance is 0 for a batch of 1.
Layout layout_of(const Side& side, std::uint64_t batch);

/// True if two sides with the same offset consist of the same addresses, in any order.
bool cover_the_same(const Side& a, const Side& b, std::uint64_t batch);

/// True if each row of the spectrum can be written over its row of the signal, in place with a real
/// axis. Both begin at the same address, have no gaps and do not overlap other rows.
bool rows_meet(const Problem& problem);

}  // namespace imago::problem
