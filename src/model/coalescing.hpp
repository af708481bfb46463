// This file describes how a kernel's accesses to global memory lie: in which contiguous segments,
// and how many sectors one request of neighbouring work-items touches.
#pragma once

#include <cstdint>

#include "device/facts.hpp"
#include "kernel/program.hpp"

namespace imago::model {

/// One side, load or store, of a step.
struct Access {
  double segment = 0;    ///< contiguous bytes that a work-group (or a tile of lanes) touches
  double overfetch = 1;  ///< sectors that a request touches over those that its bytes fill
  double lines = 1;      ///< the same in lines of the first-level cache
  double pages = 1;      ///< of 4 KB that it touches in turns
};
/// `distance`: between batch members, in complex elements.
Access access_of(const kernel::Step& step, kernel::End end, std::uint64_t distance, unsigned simd);

/// Share of the copy bandwidth that segments of so many bytes reach: Rates::segments, interpolated
/// on a logarithmic scale; proportional below the shortest, that of the longest above it.
double segment_share(const device::Rates& rates, double bytes);

/// Seconds that a CPU core waits for one segment beyond what its bytes take: its prefetchers and
/// its translations follow a few pages at a time.
double page_wait(kernel::End end, double pages);

}  // namespace imago::model
