// This file builds the kernels of the voting method and launches them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "runtime/stage_kernels.hpp"
#include "sparse/attempt.hpp"
#include "sparse/voting_parameters.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/parts.hpp"
#include "sparse_device/voting_memory.hpp"

namespace imago::sparse_device {

// These equal the values in the kernels: work-items of a work-group, taps and buckets of a
// work-item, and keys that a work-group sorts.
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

/// The common arguments of a stage, which works on the buckets or on the comb's residues.
struct VotingJob {
  Signal signal;
  cl_mem taps = nullptr, responses = nullptr;
  sparse::Voting voting = {};
  cl_mem buckets = nullptr, work = nullptr;
  std::uint64_t points() const { return std::uint64_t{1} << voting.log_buckets; }
};

/// Returns the kernels of the stages that run with these parameters.
std::map<VotingStage, kernel::Handmade> voting_kernels(const sparse::Request& request,
                                                       const device::Facts& facts,
                                                       const sparse::VotingParameters& parameters);

class VotingKernels {
 public:
  VotingKernels(const Setup& setup, const sparse::VotingParameters& parameters);

  struct Launch {
    VotingStage stage;
    std::uint64_t items = 0;
    /// Index of the loop or the stride, and number of elements to sort.
    std::uint32_t loop = 0, size = 0;
  };
  std::size_t checkers() const { return checkers_; }
  const runtime::StageKernels<VotingStage>& all() const { return kernels_; }
  void launch(runtime::Sequence& sequence, const VotingMemory& memory, const VotingJob& job,
              const Launch& launch) const;

 private:
  std::size_t checkers_;  ///< work-groups that check samples
  runtime::StageKernels<VotingStage> kernels_;
};

}  // namespace imago::sparse_device
