// This file allocates the memory of the voting method's kernels, for the largest level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/memory.hpp"
#include "sparse/attempt.hpp"
#include "sparse/voting_parameters.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

/// The maxima over all levels: complex elements, words of memory, bytes of workspace.
struct VotingSizes {
  std::size_t elements = 0, residues = 0, chunk = 0, work = 0, comb_work = 0, capacity = 0,
              scratch = 0;

  /// Raises the sizes to the needs of a level, with its buckets, the comb's residues, and the bytes
  /// of the workspace of their transforms.
  void grow(const sparse::VotingParameters& parameters, const sparse::VotingLevel& level,
            const sparse::Voting& buckets, const sparse::Voting& comb, std::size_t scratch_bytes);
};

struct VotingMemory {
  VotingMemory(const Setup& setup, const sparse::VotingParameters& parameters,
               const VotingSizes& sizes);

  runtime::Handle<cl_mem> buckets, comb_buckets, chunk, state, work, comb_work, score, pending;
  runtime::Handle<cl_mem> scratch;   ///< workspace of the transforms; null if they need none
  std::vector<std::uint32_t> words;  ///< the host's copy of the first words of the state
  std::size_t bytes = 0;             ///< bytes of device memory

 private:
  runtime::Handle<cl_mem> make(cl_context context, std::size_t size);
};

}  // namespace imago::sparse_device
