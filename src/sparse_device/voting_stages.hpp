// This file enqueues the stages of an attempt of the voting method. Their order and sizes depend on
// the method's options.
#pragma once

#include "runtime/queue.hpp"
#include "runtime/sequence.hpp"
#include "sparse_device/voting_kernels.hpp"
#include "sparse_device/voting_memory.hpp"

namespace imago::sparse_device {

/// The resources that all attempts share.
struct VotingDevice {
  VotingKernels kernels;
  VotingMemory memory;
  runtime::Handle<cl_command_queue> side_queue;  ///< used only by the layout transformation
};

/// Enqueues the stages of one attempt. All arguments are borrowed.
class VotingStages {
 public:
  VotingStages(runtime::Sequence& sequence, const VotingDevice& device,
               const sparse::VotingParameters& parameters)
      : sequence_(sequence), device_(device), parameters_(parameters) {}

  /// Clears the results of earlier attempts, then permutes, filters and folds the signal.
  void filter(const VotingJob& job) const;
  /// Folds the signal into the comb's residues.
  void comb(const VotingJob& residues) const;
  /// Selects the comb's largest residues and marks them.
  void mark(const VotingJob& residues) const;
  /// Selects the largest buckets and votes for their candidate frequencies.
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
