// This file moves one span of host memory to a device and back, in the calling thread. If the
// device works in host memory there is no copy, else the driver copies.
#pragma once

#include <imago/pool.hpp>

#include "host/queue_sets.hpp"

namespace imago::host {

/// The input and the output; in place they are the same memory.
struct Move {
  HostBytes from, to;
  bool has_gaps = false;  ///< not all of `to` is written; the gaps must stay unchanged
  /// Set to true before the input may be overwritten in place; may be null.
  bool* overwritten = nullptr;

  bool in_place() const { return from.data == to.data; }
};

/// Does the work in the caller's memory (zero-copy), and waits for it.
void in_callers_memory(const QueueSet& queues, const Move& move, const Pool::Work& work);
/// Does the work on copies in the memory of the queue set, and waits. First releases the buffers of
/// the queue set if they would grow beyond `most` bytes.
void by_copies(QueueSet& queues, const Move& move, const Pool::Work& work, std::size_t most);

}  // namespace imago::host
