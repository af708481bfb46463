// This file builds the kernels of the voting method and launches them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/program.hpp"
#include "runtime/sequence.hpp"
#include "sparse/attempt.hpp"
#include "sparse/voting_parameters.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/voting_memory.hpp"

namespace imago::sparse_device {

// As in the kernels: work-items of a group, taps and buckets of one of them, keys that a group
// sorts.
constexpr std::size_t kVotingGroup = 256, kVotingStretch = 64, kVotingCounted = 2048,
                      kVotingSorted = 512;

enum class VotingStage {
  clear,
  filter,
  remap,
  accumulate,
  comb,
  bins,
  limit,
  select,
  sort_group,
  sort_stride,
  take,
  mark,
  vote,
  estimate,
  refine,
  subtract,
  check
};

/// What kernels work at: the buckets, or the comb's residues.
struct VotingJob {
  Signal signal;
  cl_mem taps = nullptr, responses = nullptr;
  sparse::Voting voting = {};
  cl_mem buckets = nullptr, work = nullptr;
  std::uint64_t points() const { return std::uint64_t{1} << voting.log_buckets; }
};

class VotingKernels {
 public:
  VotingKernels(const Setup& setup, const sparse::VotingParameters& parameters);

  struct Launch {
    VotingStage stage;
    std::uint64_t items = 0;
    /// The loop or the stride that it works at, and the size of what is sorted.
    std::uint32_t loop = 0, size = 0;
  };
  std::size_t checkers() const { return checkers_; }
  void launch(runtime::Sequence& sequence, const VotingMemory& memory, const VotingJob& job,
              const Launch& launch) const;

 private:
  static constexpr std::size_t kCount = 17;

  std::size_t checkers_;  ///< work-groups that check samples

  // Both null where a stage is not used.
  std::array<runtime::ProgramPointer, kCount> programs_;
  std::array<runtime::Handle<cl_kernel>, kCount> kernels_;
};

}  // namespace imago::sparse_device
