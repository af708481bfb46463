// This file runs attempts of the phase method on a device.
#include "sparse_device/phase.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <random>
#include <utility>

#include "base/integers.hpp"
#include "runtime/arguments.hpp"
#include "sparse/verdict.hpp"

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
const StageCode kStages[] = {
    {"phase_sample", {"phase_sample.cl"}, "", Group::items, 256},
    {"phase_adopt", {"phase_adopt.cl"}, "", Group::items, 64},
    {"phase_peel", {"phase_buckets.cl", "phase_peel.cl"}, "", Group::buckets, 0},
    {"phase_refine_1", {"phase_refine.cl"}, " -DIMAGO_MEDIAN=1", Group::tones, 0},
    {"phase_refine_2", {"phase_refine.cl"}, " -DIMAGO_MEDIAN=0", Group::tones, 0},
    {"phase_check", {"phase_buckets.cl", "phase_check.cl"}, "", Group::buckets, 0},
};
// Arguments of every kernel: signal, taps, six buffers of the plan, the attempt, two rounds.
constexpr cl_uint kBuffersArgument = 2, kAttemptArgument = 8, kRoundArgument = 9;

constexpr unsigned kMostBatches = 5;  // of rounds, in one attempt

/// GPUs wait less the more work-items share the shifts of a bucket or a tone; on CPUs one loop of a
/// work-item is the fastest.
PhaseGroups groups_of(const device::Facts& facts) {
  if (facts.type == device::Type::cpu) return {256, 1};
  constexpr std::size_t kBuckets = 64, kMostLanes = 8;
  return {kBuckets,
          std::bit_floor(std::clamp<std::size_t>(facts.max_work_group / kBuckets, 1, kMostLanes))};
}

std::string options_of(const sparse::Request& request, const sparse::PhaseParameters& parameters,
                       const PhaseGroups& groups) {
  const auto& window = parameters.window;
  return sparse_build_options(request) +
         defined("IMAGO_POWER_OF_TWO", int{base::is_power_of_two(request.length)}) +
         defined("IMAGO_WIDTH", window.width) + defined("IMAGO_BETA", window.beta) +
         defined("IMAGO_NEIGHBOURS", window.neighbours()) +
         defined("IMAGO_SHIFTS", parameters.most_shifts()) +
         defined("IMAGO_BUCKETS", groups.buckets) + defined("IMAGO_LANES", groups.lanes);
}

/// Of all plans' attempts: what one leaves in memory may be another's garbage, or another
/// process's.
std::uint32_t next_serial() {
  static std::atomic<std::uint32_t> attempts = std::random_device()();
  return ++attempts;
}

}  // namespace

PhaseRunner::PhaseRunner(const runtime::Target& target, const device::Facts& facts,
                         const sparse::Request& request, const sparse::PhaseParameters& parameters,
                         const Options& options)
    : request_(request), parameters_(parameters) {
  build_kernels(target, facts, options);
  build_spectra(target, facts, options);
  allocate(target);
  for (const auto& kernel : kernels_)
    runtime::Arguments(kernel.get(), kBuffersArgument)
        .value(buckets_.get())
        .value(state_.get())
        .value(cells_.get())
        .value(phases_.get())
        .value(weights_.get())
        .value(amplitudes_.get());
}

void PhaseRunner::build_kernels(const runtime::Target& target, const device::Facts& facts,
                                const Options& options) {
  groups_ = groups_of(facts);
  std::vector<runtime::KernelCode> codes;
  for (const auto& stage : kStages) {
    runtime::KernelCode code{
        stage.kernel, options_of(request_, parameters_, groups_) + stage.option, {}, {}};
    code.generate = [&stage] {
      return join_files({"attempt.h", "sparse_common.cl", "phase_common.cl"}) +
             join_files(stage.files);
    };
    codes.push_back(std::move(code));
  }
  const auto programs = runtime::build(target, codes, engine::disk_cache(options));
  for (std::size_t i = 0; i < stage_count; ++i) {
    programs_[i] = programs[i];
    kernels_[i] = programs[i]->make_kernel();
  }
}

void PhaseRunner::build_spectra(const runtime::Target& target, const device::Facts& facts,
                                const Options& options) {
  const auto add = [&](const sparse::Level& level, std::vector<Spectra>& to) {
    const auto taps = parameters_.window.taps(level.buckets());
    to.push_back({bucket_engine(target, facts, request_.precision, level.buckets(), level.spectra(),
                                options),
                  upload_reals(target.context, taps, request_.precision), gain_of(taps)});
  };
  for (const auto& level : parameters_.coarse) add(level, coarse_);
  for (const auto& level : parameters_.fine) add(level, fine_);
}

void PhaseRunner::allocate(const runtime::Target& target) {
  const auto& last = parameters_.fine.back();
  const std::size_t complex_bytes = 2 * request_.real_bytes();
  const std::size_t slots = last.slots();
  std::size_t elements = 0, scratch = 0;
  for (const auto* levels : {&parameters_.coarse, &parameters_.fine}) {
    for (const auto& level : *levels)
      elements = std::max<std::size_t>(elements, level.spectra() * level.buckets());
  }

  for (const auto* spectra : {&coarse_, &fine_}) {
    for (const auto& one : *spectra) scratch = std::max(scratch, one.engine.scratch_bytes());
  }
  const auto make = [&](std::size_t bytes) {
    bytes_ += bytes;
    return runtime::allocate(target.context, bytes);
  };
  buckets_ = make(elements * complex_bytes);
  state_ = make(sparse::state_words(last, request_.precision) * sizeof(std::uint32_t));
  cells_ = make(2 * sparse::kHashes * slots * 2 * complex_bytes);
  phases_ = make(2 * elements * complex_bytes);  // a slot is half a bucket
  weights_ = make(sparse::kHashes * slots * (2 * parameters_.window.neighbours() + 1) *
                  request_.real_bytes());
  amplitudes_ = make(3 * slots * complex_bytes);
  if (scratch > 0) scratch_ = make(scratch);
  const std::size_t words = sparse::state_words(last.capacity(), request_.precision);
  copy_ = runtime::HostMemory(target.context, target.device, words * sizeof(std::uint32_t));
  words_ = {static_cast<std::uint32_t*>(copy_.data()), words};
}

const PhaseRunner::Spectra& PhaseRunner::spectra_of(std::size_t level, bool fine) const {
  return fine ? fine_[level] : coarse_[level];
}

sparse::Attempt PhaseRunner::attempt_of(const Start& start, const Signal& signal) const {
  const auto& level = parameters_.level(start.level, start.fine);
  const std::uint64_t n = request_.length;
  sparse::Attempt attempt = {};
  attempt.length = n;
  attempt.fraction = ~std::uint64_t{0} / n;
  attempt.remainder = ~std::uint64_t{0} % n + 1;
  attempt.signal_offset = signal.offset;
  attempt.check_seed = start.draws.check_seed;
  attempt.log_length = static_cast<std::uint32_t>(std::bit_width(n) - 1);
  attempt.log_buckets = level.log_buckets;
  attempt.shifts = level.shifts();
  attempt.capacity = static_cast<std::uint32_t>(level.capacity());
  attempt.log_slots = level.log_buckets + 1;
  attempt.adopted = static_cast<std::uint32_t>(start.known.size());
  std::copy(level.exponents.begin(), level.exponents.end(), attempt.exponents);
  for (unsigned h = 0; h < sparse::kHashes; ++h) {
    attempt.sigma[h] = static_cast<std::uint32_t>(start.draws.sigma[h]);
    attempt.inverse[h] = static_cast<std::uint32_t>(start.draws.inverse[h]);
    attempt.tau[h] = static_cast<std::uint32_t>(start.draws.tau[h]);
  }
  attempt.threshold = static_cast<float>(level.threshold());
  attempt.own_noise = static_cast<float>(parameters_.own_noise());
  attempt.serial = next_serial();
  return attempt;
}

void PhaseRunner::launch(runtime::Sequence& sequence, const Current& current, Stage stage,
                         unsigned round, unsigned turn) const {
  std::size_t group = kStages[stage].items;
  if (kStages[stage].group == Group::buckets) group = groups_.buckets * groups_.lanes;
  if (kStages[stage].group == Group::tones) group = kRefinedTones * sparse::kHashes * groups_.lanes;
  const std::size_t of_buckets = sparse::kHashes * current.level->buckets() / groups_.buckets;
  std::size_t groups = 0;
  if (stage == sample) groups = current.level->spectra() * current.level->buckets() / group;
  if (stage == peel) groups = of_buckets + base::ceil_divide(current.attempt.capacity, group);
  if (stage == adopt) groups = base::ceil_divide(current.attempt.adopted, group);
  if (stage == refine_1 || stage == refine_2) groups = current.attempt.capacity / kRefinedTones;
  if (stage == check_stage) groups = of_buckets + sparse::IMAGO_CHECKS;
  const cl_kernel kernel = kernels_[stage].get();
  runtime::Arguments(kernel, kRoundArgument).value(cl_uint{round}).value(cl_uint{turn});
  sequence.launch({kernel, kStages[stage].kernel, groups, group});
}

void PhaseRunner::begin(runtime::Sequence& sequence, const Current& current, const Start& start) {
  for (const auto& kernel : kernels_) {
    runtime::Arguments(kernel.get())
        .value(current.signal.memory)
        .value(current.spectra->taps.get());
    runtime::Arguments(kernel.get(), kAttemptArgument).value(current.attempt);
  }
  launch(sequence, current, sample, 0, 0);
  if (!start.known.empty()) {
    const std::size_t first = sparse::state_words(0, request_.precision),
                      words = sparse::tone_words(request_.precision);
    for (std::size_t i = 0; i < start.known.size(); ++i)
      sparse::put_tone(start.known[i], request_.precision, &words_[first + i * words]);
    sequence.write(state_.get(), first * sizeof(std::uint32_t),
                   start.known.size() * words * sizeof(std::uint32_t), &words_[first]);
    launch(sequence, current, adopt, sparse::IMAGO_FIRST_ROUND - 1, 0);
  }
  runtime::Call call;
  call.input = call.output = {buckets_.get(), nullptr, 0};
  call.scratch = scratch_.get();
  sequence.run(*current.spectra->engine.forward, call);
}

sparse::Reading PhaseRunner::finish(runtime::Sequence& sequence, const Current& current,
                                    unsigned first) {
  const unsigned last = first + parameters_.rounds - 1;
  for (unsigned round = first; round <= last; ++round)
    launch(sequence, current, peel, round, first);
  launch(sequence, current, refine_1, last, 1);
  for (unsigned pass = 2; pass <= parameters_.passes; ++pass)
    launch(sequence, current, refine_2, last, pass);
  launch(sequence, current, check_stage, last, parameters_.passes);

  const auto read = [&](std::uint64_t from, std::uint64_t to) {
    const std::size_t begin = from == 0 ? 0 : sparse::state_words(from, request_.precision);
    const std::size_t end = sparse::state_words(to, request_.precision);
    if (end > begin)
      sequence.read(state_.get(), begin * sizeof(std::uint32_t),
                    (end - begin) * sizeof(std::uint32_t), &words_[begin]);
  };
  // A few more tones than expected, so that one copy mostly does.
  const std::uint64_t capacity = current.level->capacity();
  const std::uint64_t expected = std::min(capacity, request_.tones + request_.tones / 4 + 32);
  read(0, expected);
  const std::uint64_t count = sparse::tones_in(words_, last, capacity);
  if (count > expected) read(expected, count);
  return sparse::read_state(words_, last, capacity, request_.precision, parameters_.own_noise());
}

sparse::Reading PhaseRunner::attempt(runtime::Sequence& sequence, const Signal& signal,
                                     const Start& start) {
  Current current;
  current.level = &parameters_.level(start.level, start.fine);
  current.spectra = &spectra_of(start.level, start.fine);
  current.signal = signal;
  current.attempt = attempt_of(start, signal);
  begin(sequence, current, start);
  unsigned first = sparse::IMAGO_FIRST_ROUND;
  auto reading = finish(sequence, current, first);
  for (unsigned batch = 1; reading.unfinished && !sparse::clean(reading) && batch < kMostBatches;
       ++batch) {
    first += parameters_.rounds + 1;  // the round between found nothing: all is subtracted
    reading = finish(sequence, current, first);
  }
  sparse::charge(reading, current.spectra->gain);
  sparse::prune(reading, parameters_.window);
  return reading;
}

std::string PhaseRunner::describe(const device::Facts& facts) const {
  const auto& level = parameters_.coarse.front();
  return "  " + std::to_string(sparse::kHashes) + " dilations x " + std::to_string(level.shifts()) +
         " shifts x " + std::to_string(level.buckets()) + " buckets, window of " +
         std::to_string(parameters_.window.width) + " periods, up to " +
         std::to_string(parameters_.coarse.size()) + " levels\n" +
         "  sample, window, fold: 1 launch, " + std::to_string(level.samples(parameters_.window)) +
         " samples\n" +
         "  transforms of the buckets: " + std::to_string(coarse_.front().engine.launches()) +
         " launches\n  peel: " + std::to_string(parameters_.rounds) +
         " launches\n  refine: " + std::to_string(parameters_.passes) +
         " launches\n  check and list: 1 launch, " + std::to_string(sparse::IMAGO_CHECKS) +
         " samples\n  predicted: " +
         std::to_string(1e6 * sparse::seconds(parameters_, level, facts)) + " us\n";
}

}  // namespace imago::sparse_device
