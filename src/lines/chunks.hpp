// This file divides a batch into chunks if its scratch would be too large. The chunks run one after
// the other with the same scratch. A chunk is planned as a smaller batch; its program is repeated
// for the other chunks, whose launches differ only in their offsets.
#pragma once

#include <cstdint>

#include "kernel/program.hpp"
#include "problem/problem.hpp"

namespace imago::lines {

/// The most chunks per call: enqueueing more would take longer than computing them.
inline constexpr std::uint64_t kMostChunks = 4096;

/// Returns true if batch elements may be transformed one after the other. It is false in place if
/// the batch elements of one layout overlap other batch elements of the other layout.
bool separable(const problem::Problem& problem);
/// Returns the problem of the first `batch` batch elements.
problem::Problem first_members(const problem::Problem& problem, std::uint64_t batch);
/// Returns the batch elements per chunk, if `members` (at least 2) need `bytes` of scratch. The
/// result is smaller than `members`, stays within `limit` bytes if scratch grows with the batch
/// elements, and divides `batch` about evenly.
std::uint64_t smaller_chunk(std::uint64_t batch, std::uint64_t members, std::uint64_t bytes,
                            std::uint64_t limit);

/// Distances between adjacent batch elements, in elements of each side.
struct Distances {
  std::uint64_t input = 0, output = 0;
  std::uint64_t spectrum = 0;  ///< elements of the spectrum at a filter's fused point
};
Distances distances_of(const problem::Problem& problem, bool inverse);
/// Moves `program`, made for the first elements of a batch, by `members` batch elements.
void move(kernel::Program& program, std::uint64_t members, const Distances& distances);
/// Repeats `program`, made for the first `chunk` batch elements of a batch, for `count` consecutive
/// chunks.
void repeat(kernel::Program& program, std::uint64_t count, std::uint64_t chunk,
            const Distances& distances);

}  // namespace imago::lines
