// This file runs attempts of the phase method on a device: everything is allocated and built with
// it, and an attempt enqueues its stages, reads the answer once and waits only for that.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/memory.hpp"
#include "runtime/sequence.hpp"
#include "sparse/attempt.hpp"
#include "sparse/draws.hpp"
#include "sparse/phase_parameters.hpp"
#include "sparse/reading.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

/// How the buckets are dealt out.
struct PhaseGroups {
  std::size_t buckets = 0;  ///< of a work-group
  std::size_t lanes = 0;    ///< work-items of a bucket, and of a tone in a hash
};

class PhaseRunner {
 public:
  PhaseRunner(const runtime::Target& target, const device::Facts& facts,
              const sparse::Request& request, const sparse::PhaseParameters& parameters,
              const Options& options);

  /// What an attempt starts from.
  struct Start {
    std::size_t level = 0;
    bool fine = false;
    sparse::Draws draws;
    std::vector<sparse::Tone> known = {};  ///< subtracted before the first round
  };
  /// One attempt, pruned. Where the rounds that are enqueued at a time do not suffice, more follow.
  sparse::Reading attempt(runtime::Sequence& sequence, const Signal& signal, const Start& start);

  std::size_t bytes() const { return bytes_; }
  /// A line per stage of the first attempt.
  std::string describe(const device::Facts& facts) const;

 private:
  enum Stage { sample, adopt, peel, refine_1, refine_2, check_stage, stage_count };
  /// The transforms of the buckets of a level.
  struct Spectra {
    engine::Engine engine;
    runtime::Handle<cl_mem> taps;
    double gain = 0;  ///< of a signal without correlations
  };
  struct Current {
    const sparse::Level* level = nullptr;
    const Spectra* spectra = nullptr;
    Signal signal;
    sparse::Attempt attempt = {};
  };

  void build_kernels(const runtime::Target& target, const device::Facts& facts,
                     const Options& options);
  void build_spectra(const runtime::Target& target, const device::Facts& facts,
                     const Options& options);
  void allocate(const runtime::Target& target);
  const Spectra& spectra_of(std::size_t level, bool fine) const;
  sparse::Attempt attempt_of(const Start& start, const Signal& signal) const;
  void launch(runtime::Sequence& sequence, const Current& current, Stage stage, unsigned round,
              unsigned turn) const;
  void begin(runtime::Sequence& sequence, const Current& current, const Start& start);
  sparse::Reading finish(runtime::Sequence& sequence, const Current& current, unsigned first);

  sparse::Request request_;
  sparse::PhaseParameters parameters_;
  std::array<runtime::ProgramPointer, stage_count> programs_;
  std::array<runtime::Handle<cl_kernel>, stage_count> kernels_;
  std::vector<Spectra> coarse_, fine_;
  runtime::Handle<cl_mem> buckets_, state_, cells_, phases_, weights_, amplitudes_, scratch_;
  runtime::HostMemory copy_;
  std::span<std::uint32_t> words_;  ///< the host's copy of the state's first words
  PhaseGroups groups_;
  std::size_t bytes_ = 0;
};

}  // namespace imago::sparse_device
