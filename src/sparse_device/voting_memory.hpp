// This file allocates what the kernels of the voting method work on, for the largest of the levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/memory.hpp"
#include "sparse/attempt.hpp"
#include "sparse/voting_parameters.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

/// The largest of all levels: complex elements, words of memory, bytes of scratch.
struct VotingSizes {
  std::size_t elements = 0, residues = 0, chunk = 0, work = 0, comb_work = 0, capacity = 0,
              scratch = 0;
};

/// What the kernels work at on a level: the buckets, and the comb's residues.
struct VotingLevelUse {
  const sparse::VotingLevel& level;
  const sparse::Voting &buckets, &residues;
  std::size_t scratch_bytes = 0;  ///< of their transforms
};

/// Grows by what a level needs.
void grow(VotingSizes& sizes, const sparse::VotingParameters& parameters,
          const VotingLevelUse& use);

struct VotingMemory {
  VotingMemory(const Setup& setup, const sparse::VotingParameters& parameters,
               const VotingSizes& sizes);

  runtime::Handle<cl_mem> buckets, comb_buckets, chunk, state, work, comb_work, score, pending;
  runtime::Handle<cl_mem> scratch;   ///< of the transforms; null where they need none
  std::vector<std::uint32_t> words;  ///< the host's copy of the state's first words
  std::size_t bytes = 0;             ///< on the device

 private:
  runtime::Handle<cl_mem> make(cl_context context, std::size_t size);
};

}  // namespace imago::sparse_device
