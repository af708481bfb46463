// This file runs attempts of the phase method on a device. An attempt enqueues its stages, and
// waits once, for its result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sparse/attempt.hpp"
#include "sparse/phase_parameters.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/parts.hpp"
#include "sparse_device/phase_kernels.hpp"
#include "sparse_device/phase_memory.hpp"

namespace imago::sparse_device {

class PhaseRunner final : public MethodRunner {
 public:
  PhaseRunner(const Setup& setup, const sparse::PhaseParameters& parameters);

  SparseMethod method() const override { return SparseMethod::phase; }
  /// Subtracts the known tones before the first round. Enqueues more rounds if the first ones are
  /// not enough.
  sparse::Reading attempt(runtime::Sequence& sequence, const Signal& signal,
                          const Start& start) override;
  sparse::Decision judge(const sparse::Reading& reading,
                         const sparse::Attempted& attempted) const override;
  double floor(const sparse::Reading& reading, const Rung& rung) const override;
  std::uint64_t samples(const Rung& rung) const override;
  double seconds(const Rung& rung, const device::Facts& facts) const override;
  std::size_t bytes() const override { return memory_.bytes; }
  void list(KernelLists& lists) const override;
  std::string describe(const device::Facts& facts) const override;

 private:
  /// The transforms of a level's buckets.
  struct Spectra {
    engine::Engine engine;
    runtime::Handle<cl_mem> taps;
    double gain = 0;  ///< for a signal without correlations
  };
  struct Ladder {
    std::vector<Spectra> coarse, fine;  ///< as in PhaseParameters
    std::size_t scratch_bytes() const;
  };
  struct Current {
    const sparse::Level& level;
    const Spectra& spectra;
    Signal signal;
    sparse::Attempt attempt;
    unsigned passes;  ///< passes of refinement
    PhaseKernels::Job job() const { return {level, attempt, signal, spectra.taps.get()}; }
  };

  static Ladder make_ladder(const Setup& setup, const sparse::PhaseParameters& parameters);
  const sparse::Level& level_of(const Rung& rung) const;
  sparse::Attempt attempt_of(const Start& start, const Signal& signal) const;
  void adopt(runtime::Sequence& sequence, const Current& current, const Start& start);
  /// True if one launch runs all stages of an attempt's first rounds.
  bool is_whole(const Start& start) const;
  /// Enqueues the stages before peeling, the rounds of peeling up to `last`, and the stages after
  /// them.
  sparse::Reading begin(runtime::Sequence& sequence, const Current& current, const Start& start,
                        unsigned last);
  /// Enqueues the rounds of peeling from `first` to `last`, and the stages after them.
  sparse::Reading finish(runtime::Sequence& sequence, const Current& current, unsigned first,
                         unsigned last);
  sparse::Reading read(runtime::Sequence& sequence, const sparse::Level& level, unsigned last);

  sparse::Request request_;
  sparse::PhaseParameters parameters_;
  Ladder ladder_;
  PhaseMemory memory_;
  PhaseKernels kernels_;
};

/// Predicts a first attempt.
Estimate estimate_of(const Setup& setup, const sparse::PhaseParameters& parameters);

}  // namespace imago::sparse_device
