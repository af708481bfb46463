// This file brings what lies in host memory before a device, whole: in place where the device works
// there, else by copies that are the driver's.
#pragma once

#include <cstddef>

#include <imago/pool.hpp>

#include "host/lanes.hpp"

namespace imago::host {

/// What is read and what is written; the same memory where the data is in place.
struct Move {
  HostBytes from, to;
  std::size_t to_begin = 0;  ///< of `to`, in bytes: what lies before is not touched
  bool to_has_gaps = false;  ///< not all of `to` is written: what lies between stays as it is
};

/// Does the work where the memory is, and waits for it.
void in_callers_memory(const Lane& lane, const Move& move, const Pool::Work& work);
/// Does the work on copies, and waits for them.
void by_copies(Lane& lane, const Move& move, const Pool::Work& work);

}  // namespace imago::host
