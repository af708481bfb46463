// This file builds the kernels of the phase method and launches them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/function.hpp"
#include "runtime/program.hpp"
#include "runtime/sequence.hpp"
#include "runtime/tables.hpp"
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

/// whole: all that a first attempt needs, in one launch.
enum class PhaseStage { sample, adopt, peel, refine_1, refine_2, check, whole };

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
  /// Whether the first level's attempts may be PhaseStage::whole: of one pass of refinement.
  bool has_whole() const { return transform_.has_value(); }

 private:
  std::string options_of(const Setup& setup, const sparse::PhaseParameters& parameters,
                         PhaseStage stage) const;
  std::string text_of(PhaseStage stage) const;
  std::size_t group_of(PhaseStage stage) const;
  std::size_t count_of(const Launch& launch, const Job& job) const;

  PhaseGroups groups_;
  std::size_t checkers_;  ///< work-groups that check samples
  /// Of the whole: the transform of the first level's buckets.
  std::optional<engine::TransformFunction> transform_;
  runtime::Buffer table_;
  runtime::Handle<cl_mem> counters_;
  std::vector<runtime::ProgramPointer> programs_;
  std::vector<runtime::Handle<cl_kernel>> kernels_;
};

}  // namespace imago::sparse_device
