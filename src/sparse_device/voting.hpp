// This file runs attempts of the voting method on a device. Every attempt starts anew: the window
// reaches few buckets, so known tones need not be subtracted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sparse/draws.hpp"
#include "sparse/voting_parameters.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/parts.hpp"
#include "sparse_device/voting_kernels.hpp"
#include "sparse_device/voting_memory.hpp"

namespace imago::sparse_device {

/// The resources that all attempts share.
struct VotingDevice {
  VotingKernels kernels;
  VotingMemory memory;
  runtime::Handle<cl_command_queue> side_queue;  ///< used only by the layout transformation
};

class VotingRunner final : public MethodRunner {
 public:
  VotingRunner(const Setup& setup, const sparse::VotingParameters& parameters);

  SparseMethod method() const override { return SparseMethod::voting; }
  sparse::Reading attempt(runtime::Sequence& sequence, const Signal& signal,
                          const Start& start) override;
  sparse::Decision judge(const sparse::Reading& reading,
                         const sparse::Attempted& attempted) const override;
  double floor(const sparse::Reading& reading, const Rung& rung) const override;
  std::uint64_t samples(const Rung& rung) const override;
  double seconds(const Rung& rung, const device::Facts& facts) const override;
  std::size_t bytes() const override { return device_.memory.bytes; }
  void list(KernelLists& lists) const override;
  std::string describe(const device::Facts& facts) const override;

 private:
  /// The resources of a level.
  struct Spectra {
    engine::Engine engine, comb;
    runtime::Handle<cl_mem> taps, responses;
    double gain = 0;  ///< for a signal without correlations
  };

  static std::vector<Spectra> make_spectra(const Setup& setup,
                                           const sparse::VotingParameters& parameters);
  std::vector<std::size_t> scratch_bytes() const;
  sparse::Reading read(runtime::Sequence& sequence, const VotingJob& job);

  sparse::Request request_;
  sparse::VotingParameters parameters_;
  std::vector<Spectra> spectra_;  ///< one for each level
  VotingDevice device_;
};

/// Predicts a first attempt.
Estimate estimate_of(const Setup& setup, const sparse::VotingParameters& parameters);

}  // namespace imago::sparse_device
