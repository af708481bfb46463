// This file builds the kernels of the phase method and launches them.
#pragma once

#include <array>
#include <cstddef>

#include "runtime/program.hpp"
#include "runtime/sequence.hpp"
#include "sparse/attempt.hpp"
#include "sparse/phase_parameters.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/phase_memory.hpp"

namespace imago::sparse_device {

/// How the buckets are dealt out.
struct PhaseGroups {
  std::size_t buckets = 0;  ///< of a work-group
  std::size_t lanes = 0;    ///< work-items of a bucket, and of a tone in a hash
};

enum class PhaseStage { sample, adopt, peel, refine_1, refine_2, check };

class PhaseKernels {
 public:
  /// The kernels work on `memory` as long as they live.
  PhaseKernels(const Setup& setup, const sparse::PhaseParameters& parameters,
               const PhaseMemory& memory);

  /// What an attempt's launches have in common.
  struct Job {
    const sparse::Level& level;
    const sparse::Attempt& attempt;
    Signal signal;
    cl_mem taps;
  };
  struct Launch {
    PhaseStage stage;
    unsigned round = 0, turn = 0;  ///< the kernel's last two arguments
  };
  void launch(runtime::Sequence& sequence, const Job& job, const Launch& launch) const;

 private:
  static constexpr std::size_t kCount = 6;

  std::size_t group_of(PhaseStage stage) const;
  std::size_t count_of(PhaseStage stage, const Job& job) const;

  PhaseGroups groups_;
  std::size_t checkers_;  ///< work-groups that check samples
  std::array<runtime::ProgramPointer, kCount> programs_;
  std::array<runtime::Handle<cl_kernel>, kCount> kernels_;
};

}  // namespace imago::sparse_device
