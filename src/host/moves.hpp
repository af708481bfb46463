// This file brings one span of host memory before a device, in the calling thread: in place where
// the device works there, else by copies that are the driver's.
#pragma once

#include <imago/pool.hpp>

#include "host/lanes.hpp"

namespace imago::host {

/// What is read and what is written; the same memory where the data is in place.
struct Move {
  HostBytes from, to;
  bool has_gaps = false;  ///< not all of `to` is written: what lies between stays as it is
  /// Set where it is in place and what is read may be overwritten from now on. Null: nobody asks.
  bool* spoilt = nullptr;

  bool in_place() const { return from.data == to.data; }
};

/// Does the work where the memory is, and waits for it.
void in_callers_memory(const Lane& lane, const Move& move, const Pool::Work& work);
/// Does the work on copies, in the lane's memory, and waits for them. Where the lane would hold
/// more than `most` bytes it lets go of what it had before.
void by_copies(Lane& lane, const Move& move, const Pool::Work& work, std::size_t most);

}  // namespace imago::host
