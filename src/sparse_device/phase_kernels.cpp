// This file builds the kernels of the phase method and launches them.
#include "sparse_device/phase_kernels.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "runtime/arguments.hpp"
#include "sparse_device/phase_rehearsal.hpp"

namespace imago::sparse_device {
namespace {

constexpr std::size_t kRefinedTones = 16;  // of a work-group, as the kernel has it

/// What a work-group is.
enum class Group { items, buckets, tones };

struct StageCode {
  const char* kernel;
  std::vector<const char*> files;  ///< after those that all share
  const char* option;
  Group group;
  std::size_t items;  ///< where nothing else makes the group
};

/// In the order of PhaseStage.
const StageCode kStages[] = {
    {"phase_sample", {"phase_sample.cl"}, "", Group::items, 256},
    {"phase_adopt", {"phase_adopt.cl"}, "", Group::items, 64},
    {"phase_peel", {"phase_buckets.cl", "phase_peel.cl"}, "", Group::buckets, 0},
    {"phase_refine_1", {"phase_refine.cl"}, " -DIMAGO_MEDIAN=1", Group::tones, 0},
    {"phase_refine_2", {"phase_refine.cl"}, " -DIMAGO_MEDIAN=0", Group::tones, 0},
    {"phase_check",
     {"phase_buckets.cl", "sparse_check.cl", "phase_check.cl"},
     "",
     Group::buckets,
     0},
};

const StageCode& code_of(PhaseStage stage) { return kStages[static_cast<std::size_t>(stage)]; }

// Arguments of every kernel: signal, taps, six buffers of the plan, the attempt, two rounds.
constexpr cl_uint kBuffersArgument = 2, kAttemptArgument = 8;

/// GPUs wait less the more work-items share the shifts of a bucket or a tone; on CPUs one loop of a
/// work-item is the fastest.
PhaseGroups groups_of(const device::Facts& facts) {
  if (facts.type == device::Type::cpu) return {256, 1};
  constexpr std::size_t kBuckets = 64, kMostLanes = 8;
  return {kBuckets,
          std::bit_floor(std::clamp<std::size_t>(facts.max_work_group / kBuckets, 1, kMostLanes))};
}

std::string options_of(const Setup& setup, const sparse::PhaseParameters& parameters,
                       const PhaseGroups& groups) {
  const auto& window = parameters.window;
  return sparse_build_options(setup.request, setup.facts) +
         defined("IMAGO_POWER_OF_TWO", int{base::is_power_of_two(setup.request.length)}) +
         defined("IMAGO_WIDTH", window.width) + defined("IMAGO_BETA", window.beta) +
         defined("IMAGO_NEIGHBOURS", window.neighbours()) +
         defined("IMAGO_SHIFTS", parameters.most_shifts()) +
         defined("IMAGO_BUCKETS", groups.buckets) + defined("IMAGO_LANES", groups.lanes);
}

}  // namespace

PhaseKernels::PhaseKernels(const Setup& setup, const sparse::PhaseParameters& parameters,
                           const PhaseMemory& memory)
    : groups_(groups_of(setup.facts)), checkers_(check_groups(setup.facts)) {
  static_assert(std::size(kStages) == kCount);
  std::vector<runtime::KernelCode> codes;
  for (const auto& stage : kStages) {
    runtime::KernelCode code{
        stage.kernel, options_of(setup, parameters, groups_) + stage.option, {}, {}};
    code.generate = [&stage] {
      return join_files({"attempt.h", "sparse_common.cl", "phase_common.cl"}) +
             join_files(stage.files);
    };
    if (setup.facts.type == device::Type::cpu) {
      const auto place = static_cast<PhaseStage>(codes.size());
      code.rehearse = [&, place](cl_kernel compiled) {
        rehearse(setup, parameters, stage.kernel, group_of(place), compiled);
      };
    }
    codes.push_back(std::move(code));
  }
  const auto programs = runtime::build(setup.target, codes, engine::disk_cache(setup.options));
  for (std::size_t i = 0; i < kCount; ++i) {
    programs_[i] = programs[i];
    kernels_[i] = programs[i]->make_kernel();
    runtime::Arguments(kernels_[i].get(), kBuffersArgument)
        .value(memory.buckets.get())
        .value(memory.state.get())
        .value(memory.cells.get())
        .value(memory.phases.get())
        .value(memory.weights.get())
        .value(memory.amplitudes.get());
  }
}

/// Work-items of a work-group.
std::size_t PhaseKernels::group_of(PhaseStage stage) const {
  const auto& code = code_of(stage);
  if (code.group == Group::buckets) return groups_.buckets * groups_.lanes;
  if (code.group == Group::tones) return kRefinedTones * sparse::kHashes * groups_.lanes;
  return code.items;
}

/// Work-groups.
std::size_t PhaseKernels::count_of(PhaseStage stage, const Job& job) const {
  const auto& [level, attempt, signal, taps] = job;
  const std::size_t group = group_of(stage);
  const std::size_t of_buckets = sparse::kHashes * level.buckets() / groups_.buckets;
  switch (stage) {
    case PhaseStage::sample:
      return level.spectra() * level.buckets() / group;
    case PhaseStage::adopt:
      return base::ceil_divide(attempt.adopted, group);
    case PhaseStage::peel:
      return of_buckets + base::ceil_divide(attempt.capacity, group);
    case PhaseStage::refine_1:
    case PhaseStage::refine_2:
      return attempt.capacity / kRefinedTones;
    case PhaseStage::check:
      return of_buckets + checkers_;
  }
  return 0;
}

void PhaseKernels::launch(runtime::Sequence& sequence, const Job& job, const Launch& launch) const {
  const cl_kernel kernel = kernels_[static_cast<std::size_t>(launch.stage)].get();
  // Only now: those of later launches are set while the device is at work.
  runtime::Arguments(kernel).value(job.signal.memory).value(job.taps);
  runtime::Arguments(kernel, kAttemptArgument)
      .value(job.attempt)
      .value(cl_uint{launch.round})
      .value(cl_uint{launch.turn});
  sequence.launch(
      {kernel, code_of(launch.stage).kernel, count_of(launch.stage, job), group_of(launch.stage)});
}

}  // namespace imago::sparse_device
