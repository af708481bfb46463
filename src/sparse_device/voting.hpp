// This file runs attempts of the voting method on a device, as sparse_phase.hpp those of the phase
// method: everything is allocated and built with it, and an attempt waits only for its answer.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/memory.hpp"
#include "runtime/sequence.hpp"
#include "sparse/draws.hpp"
#include "sparse/reading.hpp"
#include "sparse/voting_parameters.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

class VotingRunner {
 public:
  VotingRunner(const runtime::Target& target, const device::Facts& facts,
               const sparse::Request& request, const sparse::VotingParameters& parameters,
               const Options& options);

  /// One attempt, pruned.
  sparse::Reading attempt(runtime::Sequence& sequence, const Signal& signal, std::size_t level,
                          const sparse::VotingDraws& draws);

  std::size_t bytes() const { return bytes_; }
  /// A line per stage of the first attempt.
  std::string describe(const device::Facts& facts) const;

  enum Stage {
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
    check_stage,
    stage_count
  };

 private:
  /// What a level needs for itself.
  struct Spectra {
    engine::Engine engine, comb;
    runtime::Handle<cl_mem> taps, responses;
    double gain = 0;  ///< of a signal without correlations
  };
  /// What kernels work at: the buckets, or the comb's residues.
  struct Job {
    const Spectra* spectra = nullptr;
    Signal signal;
    sparse::Voting voting = {};
    cl_mem buckets = nullptr, work = nullptr;
    std::uint64_t points() const { return std::uint64_t{1} << voting.log_buckets; }
  };
  /// The loop or the stride that a launch works at, and the size of what is sorted.
  struct Part {
    std::uint32_t loop, size;
  };

  /// The largest of all levels: complex elements, words of memory, bytes of scratch.
  struct Sizes {
    std::size_t elements = 0, residues = 0, chunk = 0, work = 0, comb_work = 0, capacity = 0,
                scratch = 0;
  };

  bool runs(Stage stage) const;
  Sizes sizes() const;
  void build_kernels(const runtime::Target& target, const Options& options);
  void build_spectra(const runtime::Target& target, const device::Facts& facts,
                     const Options& options);
  void allocate(const runtime::Target& target);
  Job job_of(const Signal& signal, std::size_t level, const sparse::VotingDraws& draws) const;
  Job comb_of(const Job& job, std::size_t level, const sparse::VotingDraws& draws) const;

  void launch(runtime::Sequence& sequence, const Job& job, Stage stage, std::uint64_t items,
              Part part = {0, 0}) const;
  void run(runtime::Sequence& sequence, const engine::Engine& engine, cl_mem buckets) const;
  void filter_signal(runtime::Sequence& sequence, const Job& job) const;
  void filter_in_two_queues(runtime::Sequence& sequence, const Job& job) const;
  void cut(runtime::Sequence& sequence, const Job& job) const;
  void sort_and_select(runtime::Sequence& sequence, const Job& job) const;
  void vote_for(runtime::Sequence& sequence, const Job& job, const Job* comb_job) const;
  void measure(runtime::Sequence& sequence, const Job& job) const;
  sparse::Reading read(runtime::Sequence& sequence, const Job& job);

  sparse::Request request_;
  sparse::VotingParameters parameters_;
  std::array<runtime::ProgramPointer, stage_count> programs_;
  std::array<runtime::Handle<cl_kernel>, stage_count> kernels_;  ///< null where it is not used
  std::vector<Spectra> spectra_;                                 ///< of the levels
  runtime::Handle<cl_command_queue> side_queue_;  ///< of the layout transformation alone
  runtime::Handle<cl_mem> buckets_, comb_buckets_, chunk_, state_, work_, comb_work_, score_,
      pending_, scratch_;
  std::vector<std::uint32_t> words_;  ///< the host's copy of the state's first words
  std::size_t bytes_ = 0;
};

}  // namespace imago::sparse_device
