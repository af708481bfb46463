// This file builds the kernels of the phase method and launches them.
#include "sparse_device/phase_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include <imago/error.hpp>

#include "base/integers.hpp"
#include "base/log.hpp"
#include "ir/counters.hpp"
#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"

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
    const sparse::Request& request, const device::Facts& facts,
    const sparse::PhaseParameters& parameters, const PhaseGroups& groups) {
  const std::size_t items = groups.buckets * groups.lanes;
  if (facts.type == device::Type::cpu || facts.waiting.empty() || parameters.passes != 1 ||
      items % kSampledPart != 0 || items < kRefinedTones * sparse::kHashes * groups.lanes)
    return {};
  const auto& level = parameters.coarse.front();
  return engine::transform_function(bucket_transform(request, level.buckets(), level.spectra()),
                                    facts, static_cast<unsigned>(items));
}

/// Returns the work-items of a work-group.
std::size_t group_of(const PhaseGroups& groups, PhaseStage stage) {
  const auto& code = code_of(stage);
  if (code.group == Group::buckets) return groups.buckets * groups.lanes;
  if (code.group == Group::tones) return kRefinedTones * sparse::kHashes * groups.lanes;
  return code.items;
}

/// Returns the options that only PhaseStage::whole has.
std::string options_of(const engine::TransformFunction& transform) {
  return defined("IMAGO_WHOLE", 1) + " -DIMAGO_TRANSFORM=" + transform.name +
         defined("IMAGO_TRANSFORM_GROUPS", transform.groups) +
         defined("IMAGO_TRANSFORM_BYTES", transform.local_bytes) +
         defined("IMAGO_TRANSFORM_TABLE", int{transform.table.has_value()});
}

}  // namespace

PhaseCode phase_code(const sparse::Request& request, const device::Facts& facts,
                     const sparse::PhaseParameters& parameters) {
  PhaseCode code{groups_of(facts), {}, {}};
  code.transform = transform_for_whole(request, facts, parameters, code.groups);
  const auto& window = parameters.window;
  const std::size_t count = std::size(kStages) - (code.transform ? 0 : 1);
  const std::string common = join_files({"attempt.h", "sparse_common.cl", "phase_common.cl"});
  for (std::size_t i = 0; i < count; ++i) {
    const auto stage = static_cast<PhaseStage>(i);
    const bool whole = stage == PhaseStage::whole;
    const std::size_t group = group_of(code.groups, stage);
    const std::string options =
        sparse_build_options(request, facts, whole) +
        defined("IMAGO_POWER_OF_TWO", int{base::is_power_of_two(request.length)}) +
        defined("IMAGO_WIDTH", window.width) + defined("IMAGO_BETA", window.beta) +
        defined("IMAGO_NEIGHBOURS", window.neighbours()) +
        defined("IMAGO_SHIFTS", parameters.most_shifts()) +
        defined("IMAGO_BUCKETS", code.groups.buckets) + defined("IMAGO_LANES", code.groups.lanes) +
        defined("IMAGO_GROUP", group) + kStages[i].option;
    code.kernels[stage] = {kStages[i].kernel, options + (whole ? options_of(*code.transform) : ""),
                           common +
                               (whole ? code.transform->source + ir::counter_functions() : "") +
                               join_files(kStages[i].files),
                           group};
  }
  return code;
}

namespace {

constexpr unsigned kLogLength = 11, kLogBuckets = 8;  // minimum values of the method

sparse::Attempt attempt_at(const sparse::Level& level) {
  sparse::Attempt attempt = {};
  attempt.length = std::uint64_t{1} << kLogLength;
  attempt.fraction = ~std::uint64_t{0} / attempt.length;
  attempt.remainder = ~std::uint64_t{0} % attempt.length + 1;
  attempt.log_length = kLogLength;
  attempt.log_buckets = level.log_buckets;
  attempt.shifts = level.shifts();
  attempt.capacity = static_cast<std::uint32_t>(level.capacity());
  attempt.log_slots = level.log_buckets + 1;
  for (std::size_t i = 0; i < level.exponents.size(); ++i)
    attempt.exponents[i] = level.exponents[i];
  for (unsigned h = 0; h < sparse::kHashes; ++h) attempt.sigma[h] = attempt.inverse[h] = 1;
  attempt.threshold = attempt.own_noise = 1;
  return attempt;
}

runtime::Handle<cl_mem> zeros_like(cl_context context, cl_mem memory) {
  return runtime::allocate_zeros(
      context,
      runtime::info<std::size_t>(clGetMemObjectInfo, "clGetMemObjectInfo", memory, CL_MEM_SIZE));
}

/// Launches one work-group once, on a signal of zeros and temporary memory. PoCL compiles a kernel
/// for a work-group size only at its first launch, which would delay the caller's first call. Logs
/// errors, because the kernel is built anyway.
void rehearse(const Setup& setup, const sparse::PhaseParameters& parameters,
              const kernel::Handmade& made, cl_kernel kernel) try {
  const cl_context context = setup.target.context;
  const auto level = sparse::make_level(std::uint64_t{1} << kLogLength, kLogBuckets, 4);
  auto small = parameters;
  small.coarse = small.fine = {level};
  const PhaseMemory memory(setup, small, 0);
  const auto signal = runtime::allocate_zeros(context, sizeof(double) << (kLogLength + 1));
  const auto taps =
      runtime::allocate_zeros(context, parameters.window.width * sizeof(double) << kLogBuckets);
  // Zeros make empty lists; a kernel would follow garbage in them.
  const std::array buffers{
      zeros_like(context, memory.buckets.get()), zeros_like(context, memory.state.get()),
      zeros_like(context, memory.cells.get()),   zeros_like(context, memory.phases.get()),
      zeros_like(context, memory.weights.get()), zeros_like(context, memory.amplitudes.get())};
  runtime::Arguments arguments(kernel);
  arguments.value(signal.get()).value(taps.get());
  for (const auto& buffer : buffers) arguments.value(buffer.get());
  arguments.value(attempt_at(level))
      .value(cl_uint{sparse::IMAGO_FIRST_ROUND})
      .value(cl_uint{sparse::IMAGO_FIRST_ROUND});
  const auto queue = runtime::make_queue(context, setup.target.device);
  runtime::Sequence sequence(queue.get());
  sequence.launch({kernel, made.name.c_str(), 1, made.items});
  runtime::check(clFinish(queue.get()), "clFinish", made.name);
} catch (const DeviceError& error) {
  base::log(LogLevel::debug, "test launch of " + made.name + ": " + error.what());
}

/// Returns the first launches that PoCL needs to compile kernels; empty for other types of devices.
runtime::Rehearsal rehearsal(const Setup& setup, const sparse::PhaseParameters& parameters) {
  if (setup.facts.type != device::Type::cpu) return {};
  return [&](const kernel::Handmade& made, cl_kernel compiled) {
    rehearse(setup, parameters, made, compiled);
  };
}

}  // namespace

PhaseKernels::PhaseKernels(const Setup& setup, const sparse::PhaseParameters& parameters,
                           const PhaseMemory& memory)
    : checkers_(check_groups(setup.facts)),
      code_(phase_code(setup.request, setup.facts, parameters)),
      kernels_(setup.target, code_.kernels, engine::disk_cache(setup.options),
               rehearsal(setup, parameters)) {
  kernels_.each([&](const runtime::BuiltHandmade& built) {
    runtime::Arguments(built.kernel.get(), kBuffersArgument)
        .value(memory.buckets.get())
        .value(memory.state.get())
        .value(memory.cells.get())
        .value(memory.phases.get())
        .value(memory.weights.get())
        .value(memory.amplitudes.get());
  });
  if (!code_.transform) return;
  counters_ = runtime::allocate_zeros(setup.target.context, kernel::kCounterBytes);
  if (code_.transform->table)
    table_ =
        runtime::upload(setup.target, *code_.transform->table, engine::disk_cache(setup.options));
}

/// Returns the number of work-groups.
std::size_t PhaseKernels::count_of(const Launch& launch, const Job& job) const {
  const auto& [level, attempt, signal, taps] = job;
  const std::size_t group = kernels_.code(launch.stage).items;
  const std::size_t of_buckets = sparse::kHashes * level.buckets() / code_.groups.buckets;
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
      return of_samples + code_.transform->groups +
             of_peeling * (launch.round + 1 - sparse::IMAGO_FIRST_ROUND) + of_tones + of_buckets +
             checkers_;
  }
  return 0;
}

void PhaseKernels::launch(runtime::Sequence& sequence, const Job& job, const Launch& launch) const {
  const cl_kernel kernel = kernels_.shared(launch.stage);
  // Sets these arguments now, so that arguments of later launches are set while the device works.
  runtime::Arguments(kernel).value(job.signal.memory).value(job.taps);
  runtime::Arguments last(kernel, kAttemptArgument);
  last.value(job.attempt).value(cl_uint{launch.round}).value(cl_uint{launch.turn});
  if (launch.stage == PhaseStage::whole)
    last.value(counters_.get()).value(table_ ? table_->get() : job.taps);
  sequence.launch(kernels_.launch(launch.stage, kernel, count_of(launch, job)));
}

}  // namespace imago::sparse_device
