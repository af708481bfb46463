// This file describes a kernel's accesses to global memory: the contiguous segments, and the
// sectors that one request of adjacent work-items touches.
#pragma once

#include <cstdint>

#include "device/facts.hpp"
#include "kernel/program.hpp"

namespace imago::model {

/// The accesses of one side of a step, load or store.
struct Access {
  double segment = 0;    ///< contiguous bytes that a work-group (or a tile of lanes) accesses
  double overfetch = 1;  ///< sectors that a request touches, divided by those that its bytes fill
  double lines = 1;      ///< lines of the first-level cache that it touches, divided likewise
  /// Requests that touch a line of the first-level cache, because each takes only a part of what
  /// the group needs of it.
  double visits = 1;
  double pages = 1;  ///< pages of 4 KB that it accesses alternately
  /// Fraction of the segments that do not begin with a sector; 0 if there is only one.
  double crooked = 0;
};
/// Returns the accesses at an end; `distance` is that between batch elements, in complex elements.
Access access_of(const kernel::Step& step, kernel::End end, std::uint64_t distance, unsigned simd);

/// Returns the fraction of the copy bandwidth that segments of `bytes` bytes reach. It interpolates
/// Rates::segments on a logarithmic scale. Below the shortest measured segment it is proportional;
/// above the longest it rises to 1 for a page.
double segment_share(const device::Rates& rates, double bytes);

/// Returns the seconds that a CPU core waits for one segment, in addition to the time for its
/// bytes: its prefetchers and its address translations follow only a few pages at a time.
double page_wait(kernel::End end, double pages);

}  // namespace imago::model
