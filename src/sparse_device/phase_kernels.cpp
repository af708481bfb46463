// This file builds the kernels of the phase method and launches them.
#include "sparse_device/phase_kernels.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "ir/counters.hpp"
#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"
#include "sparse_device/phase_rehearsal.hpp"

namespace imago::sparse_device {
namespace {

constexpr std::size_t kRefinedTones = 16;  // tones of a work-group; must equal the kernel's value
constexpr std::size_t kSampledPart = 256;  // must equal the kernel's value; no spectrum has fewer
                                           // buckets

/// The unit of a work-group.
enum class Group { items, buckets, tones };

struct StageCode {
  const char* kernel;
  std::vector<const char*> files;  ///< after the common files
  const char* option;
  Group group;
  std::size_t items;  ///< size of the work-group, if nothing else determines it
};

/// In the order of PhaseStage.
const StageCode kStages[] = {
    {"phase_sample", {"phase_sample.cl"}, "", Group::items, kSampledPart},
    {"phase_adopt", {"phase_adopt.cl"}, "", Group::items, 64},
    {"phase_peel", {"phase_buckets.cl", "phase_peel.cl"}, "", Group::buckets, 0},
    {"phase_refine_1", {"phase_refine.cl"}, " -DIMAGO_MEDIAN=1", Group::tones, 0},
    {"phase_refine_2", {"phase_refine.cl"}, " -DIMAGO_MEDIAN=0", Group::tones, 0},
    {"phase_check",
     {"phase_buckets.cl", "sparse_check.cl", "phase_check.cl"},
     "",
     Group::buckets,
     0},
    {"phase_whole",
     {"phase_sample.cl", "phase_buckets.cl", "phase_peel.cl", "phase_refine.cl", "sparse_check.cl",
      "phase_check.cl", "phase_whole.cl"},
     " -DIMAGO_MEDIAN=1",
     Group::buckets,
     0},
};

const StageCode& code_of(PhaseStage stage) { return kStages[static_cast<std::size_t>(stage)]; }

// Arguments of every kernel: signal, taps, six buffers of the plan, the attempt, two rounds.
// PhaseStage::whole also has the counters and the transform's table.
constexpr cl_uint kBuffersArgument = 2, kAttemptArgument = 8;

/// On GPUs, more work-items per bucket or tone hide more latency of its shifts. On CPUs, one loop
/// in one work-item is the fastest.
PhaseGroups groups_of(const device::Facts& facts) {
  if (facts.type == device::Type::cpu) return {256, 1};
  constexpr std::size_t kBuckets = 64, kMostLanes = 8;
  return {kBuckets,
          std::bit_floor(std::clamp<std::size_t>(facts.max_work_group / kBuckets, 1, kMostLanes))};
}

/// Returns the transform of the buckets for PhaseStage::whole; nullopt if stages cannot be one
/// launch. They can if several work-groups may synchronize, which they do not on CPUs
/// (engine/launches.cpp). Work-groups must also cover whole parts of spectra and suffice for the
/// refinement, and a single kernel with such work-groups must transform the buckets.
std::optional<engine::TransformFunction> transform_for_whole(
    const Setup& setup, const sparse::PhaseParameters& parameters, const PhaseGroups& groups) {
  const std::size_t items = groups.buckets * groups.lanes;
  if (setup.facts.type == device::Type::cpu || setup.facts.waiting.empty() ||
      parameters.passes != 1 || items % kSampledPart != 0 ||
      items < kRefinedTones * sparse::kHashes * groups.lanes)
    return {};
  const auto& level = parameters.coarse.front();
  return engine::transform_function(bucket_transform(setup, level.buckets(), level.spectra()),
                                    setup.facts, static_cast<unsigned>(items));
}

}  // namespace

PhaseKernels::PhaseKernels(const Setup& setup, const sparse::PhaseParameters& parameters,
                           const PhaseMemory& memory)
    : groups_(groups_of(setup.facts)),
      checkers_(check_groups(setup.facts)),
      transform_(transform_for_whole(setup, parameters, groups_)) {
  const auto disk = engine::disk_cache(setup.options);
  const std::size_t count = std::size(kStages) - (transform_ ? 0 : 1);
  std::vector<runtime::KernelCode> codes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto stage = static_cast<PhaseStage>(i);
    const char* const name = kStages[i].kernel;
    runtime::KernelCode code{name, options_of(setup, parameters, stage), {}, {}};
    code.generate = [this, stage] { return text_of(stage); };
    if (setup.facts.type == device::Type::cpu) {
      code.rehearse = [&, stage, name](cl_kernel compiled) {
        rehearse(setup, parameters, name, group_of(stage), compiled);
      };
    }
    codes.push_back(std::move(code));
  }
  programs_ = runtime::build(setup.target, codes, disk);
  for (const auto& program : programs_) {
    kernels_.push_back(program->make_kernel());
    runtime::Arguments(kernels_.back().get(), kBuffersArgument)
        .value(memory.buckets.get())
        .value(memory.state.get())
        .value(memory.cells.get())
        .value(memory.phases.get())
        .value(memory.weights.get())
        .value(memory.amplitudes.get());
  }
  if (!transform_) return;
  counters_ = runtime::allocate_zeros(setup.target.context, kernel::kCounterBytes);
  if (transform_->table) table_ = runtime::upload(setup.target, *transform_->table, disk);
}

std::string PhaseKernels::options_of(const Setup& setup, const sparse::PhaseParameters& parameters,
                                     PhaseStage stage) const {
  const auto& window = parameters.window;
  const bool whole = stage == PhaseStage::whole;
  std::string options =
      sparse_build_options(setup.request, setup.facts, whole) +
      defined("IMAGO_POWER_OF_TWO", int{base::is_power_of_two(setup.request.length)}) +
      defined("IMAGO_WIDTH", window.width) + defined("IMAGO_BETA", window.beta) +
      defined("IMAGO_NEIGHBOURS", window.neighbours()) +
      defined("IMAGO_SHIFTS", parameters.most_shifts()) +
      defined("IMAGO_BUCKETS", groups_.buckets) + defined("IMAGO_LANES", groups_.lanes) +
      defined("IMAGO_GROUP", group_of(stage)) + code_of(stage).option;
  if (!whole) return options;
  // The transform's name distinguishes binaries, because cache keys contain the options but not the
  // text.
  return options + defined("IMAGO_WHOLE", 1) + " -DIMAGO_TRANSFORM=" + transform_->name +
         defined("IMAGO_TRANSFORM_GROUPS", transform_->groups) +
         defined("IMAGO_TRANSFORM_BYTES", transform_->local_bytes) +
         defined("IMAGO_TRANSFORM_TABLE", int{transform_->table.has_value()});
}

std::string PhaseKernels::text_of(PhaseStage stage) const {
  const std::string own = join_files({"attempt.h", "sparse_common.cl", "phase_common.cl"}),
                    files = join_files(code_of(stage).files);
  if (stage != PhaseStage::whole) return own + files;
  return own + transform_->source + ir::counter_functions() + files;
}

/// Returns the work-items of a work-group.
std::size_t PhaseKernels::group_of(PhaseStage stage) const {
  const auto& code = code_of(stage);
  if (code.group == Group::buckets) return groups_.buckets * groups_.lanes;
  if (code.group == Group::tones) return kRefinedTones * sparse::kHashes * groups_.lanes;
  return code.items;
}

/// Returns the number of work-groups.
std::size_t PhaseKernels::count_of(const Launch& launch, const Job& job) const {
  const auto& [level, attempt, signal, taps] = job;
  const std::size_t group = group_of(launch.stage);
  const std::size_t of_buckets = sparse::kHashes * level.buckets() / groups_.buckets;
  const std::size_t of_samples = base::ceil_divide(level.spectra() * level.buckets(), group),
                    of_peeling = of_buckets + base::ceil_divide(attempt.capacity, group),
                    of_tones = attempt.capacity / kRefinedTones;
  switch (launch.stage) {
    case PhaseStage::sample:
      return of_samples;
    case PhaseStage::adopt:
      return base::ceil_divide(attempt.adopted, group);
    case PhaseStage::peel:
      return of_peeling;
    case PhaseStage::refine_1:
    case PhaseStage::refine_2:
      return of_tones;
    case PhaseStage::check:
      return of_buckets + checkers_;
    case PhaseStage::whole:
      return of_samples + transform_->groups +
             of_peeling * (launch.round + 1 - sparse::IMAGO_FIRST_ROUND) + of_tones + of_buckets +
             checkers_;
  }
  return 0;
}

void PhaseKernels::launch(runtime::Sequence& sequence, const Job& job, const Launch& launch) const {
  const cl_kernel kernel = kernels_[static_cast<std::size_t>(launch.stage)].get();
  // Sets these arguments now, so that arguments of later launches are set while the device works.
  runtime::Arguments(kernel).value(job.signal.memory).value(job.taps);
  runtime::Arguments last(kernel, kAttemptArgument);
  last.value(job.attempt).value(cl_uint{launch.round}).value(cl_uint{launch.turn});
  if (launch.stage == PhaseStage::whole)
    last.value(counters_.get()).value(table_ ? table_->get() : job.taps);
  sequence.launch(
      {kernel, code_of(launch.stage).kernel, count_of(launch, job), group_of(launch.stage)});
}

}  // namespace imago::sparse_device
