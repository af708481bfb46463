// This file cuts a batch whose scratch would be too large into chunks, which run one after the
// other through the same scratch. A chunk is planned as a smaller batch; its program is repeated
// for the others, whose launches differ in their offsets only.
#pragma once

#include <cstdint>

#include "kernel/program.hpp"
#include "problem/problem.hpp"

namespace imago::lines {

/// Chunks of one call: more would take longer to enqueue than to compute.
inline constexpr std::uint64_t kMostChunks = 4096;

/// Whether members may be transformed one after the other. Not in place between layouts whose
/// members lie in each other's memory.
bool separable(const problem::Problem& problem);
/// The problem of the first `batch` members.
problem::Problem first_members(const problem::Problem& problem, std::uint64_t batch);
/// Members of a chunk, where one of `members` (at least 2) needs `bytes` of scratch: fewer, within
/// `limit` bytes if scratch grows with the members, and about as many in each of the chunks of
/// `batch`.
std::uint64_t smaller_chunk(std::uint64_t batch, std::uint64_t members, std::uint64_t bytes,
                            std::uint64_t limit);

/// From member to member, in elements of each side.
struct Distances {
  std::uint64_t input = 0, output = 0;
  std::uint64_t turn = 0;  ///< elements of the spectrum that a filter turns in
};
Distances distances_of(const problem::Problem& problem, bool inverse);
/// `program`, made for the first members of a batch, for those `members` further on.
void move(kernel::Program& program, std::uint64_t members, const Distances& distances);
/// `program`, made for the first `chunk` members of a batch, `count` times for one chunk after the
/// other.
void repeat(kernel::Program& program, std::uint64_t count, std::uint64_t chunk,
            const Distances& distances);

}  // namespace imago::lines
