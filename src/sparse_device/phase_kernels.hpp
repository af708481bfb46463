// This file builds the kernels of the phase method and launches them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "engine/function.hpp"
#include "kernel/handmade.hpp"
#include "runtime/stage_kernels.hpp"
#include "runtime/tables.hpp"
#include "sparse/attempt.hpp"
#include "sparse/phase_parameters.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/phase_memory.hpp"

namespace imago::sparse_device {

/// The distribution of the buckets.
struct PhaseGroups {
  std::size_t buckets = 0;  ///< buckets of a work-group
  std::size_t lanes = 0;    ///< work-items per bucket, and per tone in a hash
};

/// The stages of an attempt; `whole` runs all stages of a first attempt in one launch.
enum class PhaseStage { sample, adopt, peel, refine_1, refine_2, check, whole };

/// The kernels of the method. Without a transform, `whole` is missing.
struct PhaseCode {
  PhaseGroups groups;
  /// For PhaseStage::whole: the transform of the first level's buckets.
  std::optional<engine::TransformFunction> transform;
  std::map<PhaseStage, kernel::Handmade> kernels;
};
PhaseCode phase_code(const sparse::Request& request, const device::Facts& facts,
                     const sparse::PhaseParameters& parameters);

class PhaseKernels {
 public:
  /// The kernels use `memory` during their life.
  PhaseKernels(const Setup& setup, const sparse::PhaseParameters& parameters,
               const PhaseMemory& memory);

  /// The common arguments of an attempt's launches.
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
  /// True if PhaseStage::whole can run a first attempt at the first level, with one pass of
  /// refinement.
  bool has_whole() const { return code_.transform.has_value(); }
  const runtime::StageKernels<PhaseStage>& all() const { return kernels_; }

 private:
  std::size_t count_of(const Launch& launch, const Job& job) const;

  std::size_t checkers_;  ///< work-groups that check samples
  PhaseCode code_;
  runtime::Buffer table_;
  runtime::Handle<cl_mem> counters_;
  runtime::StageKernels<PhaseStage> kernels_;
};

}  // namespace imago::sparse_device
