// This file enqueues the stages of an attempt of the voting method, whose order and sizes follow
// from the method's switches.
#pragma once

#include "runtime/queue.hpp"
#include "runtime/sequence.hpp"
#include "sparse_device/voting_kernels.hpp"
#include "sparse_device/voting_memory.hpp"

namespace imago::sparse_device {

/// What all attempts share.
struct VotingDevice {
  VotingKernels kernels;
  VotingMemory memory;
  runtime::Handle<cl_command_queue> side_queue;  ///< of the layout transformation alone
};

/// The stages of one attempt. All arguments are borrowed.
class VotingStages {
 public:
  VotingStages(runtime::Sequence& sequence, const VotingDevice& device,
               const sparse::VotingParameters& parameters)
      : sequence_(sequence), device_(device), parameters_(parameters) {}

  /// Clears what earlier attempts left, then permutes, filters and folds the signal.
  void filter(const VotingJob& job) const;
  /// Folds the signal into the comb's residues.
  void comb(const VotingJob& residues) const;
  /// Selects the comb's largest residues and marks them.
  void mark(const VotingJob& residues) const;
  /// Selects the largest buckets and votes for what may lie in them.
  void vote(const VotingJob& job) const;
  /// Measures the frequencies with enough votes, and checks the result.
  void measure(const VotingJob& job) const;
  /// Transforms in place.
  void transform(const engine::Engine& engine, cl_mem buckets) const;

 private:
  void launch(const VotingJob& job, const VotingKernels::Launch& launch) const;
  void filter_in_two_queues(const VotingJob& job) const;
  void cut(const VotingJob& job) const;
  void sort_and_select(const VotingJob& job) const;

  runtime::Sequence& sequence_;
  const VotingDevice& device_;
  const sparse::VotingParameters& parameters_;
};

}  // namespace imago::sparse_device
