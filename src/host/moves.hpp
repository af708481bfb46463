// This file moves one span of host memory to a device and back, in the calling thread: in place if
// the device works there, else by the driver's own copies.
#pragma once

#include <imago/pool.hpp>

#include "host/queue_sets.hpp"

namespace imago::host {

/// The input and the output; in place they are the same memory.
struct Move {
  HostBytes from, to;
  bool has_gaps = false;  ///< not all of `to` is written: the gaps stay unchanged
  /// Set to true before the input may be overwritten in place. Null: it is not needed.
  bool* overwritten = nullptr;

  bool in_place() const { return from.data == to.data; }
};

/// Does the work in the caller's memory, and waits for it.
void in_callers_memory(const QueueSet& queues, const Move& move, const Pool::Work& work);
/// Does the work on copies in the memory of the queue set, and waits for them. Releases what that
/// held before if it would hold more than `most` bytes.
void by_copies(QueueSet& queues, const Move& move, const Pool::Work& work, std::size_t most);

}  // namespace imago::host
