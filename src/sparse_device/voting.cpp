// This file runs attempts of the voting method on a device.
#include "sparse_device/voting.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/integers.hpp"
#include "runtime/arguments.hpp"
#include "sparse/verdict.hpp"

namespace imago::sparse_device {
namespace {

struct StageCode {
  const char* kernel;
  const char* file;
};
constexpr StageCode kStages[] = {
    {"voting_clear", "voting_filter.cl"},    {"voting_filter", "voting_filter.cl"},
    {"voting_remap", "voting_filter.cl"},    {"voting_accumulate", "voting_filter.cl"},
    {"voting_comb", "voting_filter.cl"},     {"voting_bins", "voting_cut.cl"},
    {"voting_limit", "voting_cut.cl"},       {"voting_select", "voting_cut.cl"},
    {"voting_sort_group", "voting_cut.cl"},  {"voting_sort_stride", "voting_cut.cl"},
    {"voting_take", "voting_cut.cl"},        {"voting_mark", "voting_vote.cl"},
    {"voting_vote", "voting_vote.cl"},       {"voting_estimate", "voting_estimate.cl"},
    {"voting_refine", "voting_estimate.cl"}, {"voting_subtract", "voting_estimate.cl"},
    {"voting_check", "voting_estimate.cl"},
};
static_assert(std::size(kStages) == VotingRunner::stage_count);

// As in the kernels.
constexpr std::size_t kGroup = 256, kStretch = 64, kCounted = 2048, kSorted = 512;
constexpr std::size_t kMostClearingGroups = 4096;
constexpr double kLeastNoise = 2;  // of a tone, over the noise: what a median hardly feigns

std::string options_of(const sparse::Request& request, const sparse::VotingParameters& parameters) {
  return sparse_build_options(request) +
         defined("IMAGO_INDEX_MAPPING", int{parameters.options.index_mapping}) +
         defined("IMAGO_LOOP_PARTITION", int{parameters.options.loop_partition}) +
         defined("IMAGO_LOOPS", parameters.loops);
}

/// Words of the work memory, as voting_common.cl lays it out.
std::size_t work_words(const sparse::Voting& v) {
  return sparse::IMAGO_CUT_HISTOGRAM + std::size_t{v.location} * sparse::IMAGO_CUT_BINS +
         (std::size_t{v.loops} << v.log_buckets) + std::size_t{v.location} * v.most +
         std::size_t{v.capacity} * (1 + v.loops);
}

}  // namespace

VotingRunner::VotingRunner(const runtime::Target& target, const device::Facts& facts,
                           const sparse::Request& request,
                           const sparse::VotingParameters& parameters, const Options& options)
    : request_(request), parameters_(parameters) {
  build_kernels(target, options);
  build_spectra(target, facts, options);
  allocate(target);
  if (parameters_.options.layout_transformation) {
    cl_int code = CL_SUCCESS;
    side_queue_ = runtime::Handle<cl_command_queue>(
        clCreateCommandQueue(target.context, target.device, 0, &code));
    runtime::check(code, "clCreateCommandQueue");
  }
}

bool VotingRunner::runs(Stage stage) const {
  const auto& options = parameters_.options;
  if (stage == filter) return !options.layout_transformation;
  if (stage == remap || stage == accumulate) return options.layout_transformation;
  if (stage == comb || stage == mark) return options.comb;
  if (stage == bins || stage == limit || stage == select) return options.threshold_selection;
  if (stage == sort_group || stage == sort_stride || stage == take)
    return !options.threshold_selection;
  return stage != refine || options.refinements > 0;
}

void VotingRunner::build_kernels(const runtime::Target& target, const Options& options) {
  std::vector<runtime::KernelCode> codes;
  std::vector<std::size_t> stages;
  for (std::size_t i = 0; i < stage_count; ++i) {
    if (!runs(static_cast<Stage>(i))) continue;
    const auto& stage = kStages[i];
    runtime::KernelCode code{
        stage.kernel, options_of(request_, parameters_) + " -DBUILD_" + stage.kernel, {}, {}};
    code.generate = [&stage] {
      return join_files(
          {"attempt.h", "voting.h", "sparse_common.cl", "voting_common.cl", stage.file});
    };
    codes.push_back(std::move(code));
    stages.push_back(i);
  }
  const auto programs = runtime::build(target, codes, engine::disk_cache(options));
  for (std::size_t i = 0; i < stages.size(); ++i) {
    programs_[stages[i]] = programs[i];
    kernels_[stages[i]] = programs[i]->make_kernel();
  }
}

void VotingRunner::build_spectra(const runtime::Target& target, const device::Facts& facts,
                                 const Options& options) {
  const auto make = [&](std::size_t points, std::size_t batch) {
    return bucket_engine(target, facts, request_.precision, points, batch, options);
  };
  for (const auto& level : parameters_.levels) {
    Spectra spectra;
    spectra.engine = make(level.buckets(), parameters_.loops);
    if (parameters_.options.comb) spectra.comb = make(level.comb(), parameters_.comb_loops);
    const auto taps = level.window.taps();
    spectra.taps = upload_reals(target.context, taps, request_.precision);
    spectra.gain = gain_of(taps);
    spectra.responses = upload_reals(target.context, level.window.responses(level.window.reach()),
                                     request_.precision);
    spectra_.push_back(std::move(spectra));
  }
}

VotingRunner::Sizes VotingRunner::sizes() const {
  const auto& options = parameters_.options;
  Sizes most;
  const auto grow = [](std::size_t& size, std::size_t by) { size = std::max(size, by); };
  for (std::size_t i = 0; i < parameters_.levels.size(); ++i) {
    const auto& level = parameters_.levels[i];
    const auto job = job_of({}, i, {}), residues = comb_of(job, i, {});
    grow(most.elements, parameters_.loops * level.buckets());
    if (options.layout_transformation)
      grow(most.chunk, 2 * level.window.rounds() * level.buckets());
    // A key per bucket; the last group of a sort may have loops beyond the last.
    if (!options.threshold_selection)
      grow(most.chunk, parameters_.location * std::max(level.buckets(), level.comb()) + kSorted);
    grow(most.work, work_words(job.voting));
    grow(most.capacity, level.capacity);
    grow(most.scratch, spectra_[i].engine.scratch_bytes());
    if (!options.comb) continue;
    grow(most.residues, level.comb());
    grow(most.comb_work, work_words(residues.voting));
    grow(most.scratch, spectra_[i].comb.scratch_bytes());
  }
  return most;
}

void VotingRunner::allocate(const runtime::Target& target) {
  const std::size_t complex_bytes = 2 * request_.real_bytes(), word = 4;
  const Sizes most = sizes();
  const auto make = [&](std::size_t bytes) {
    if (bytes == 0) return runtime::Handle<cl_mem>();
    bytes_ += bytes;
    return runtime::allocate(target.context, bytes);
  };
  const std::size_t words = sparse::state_words(most.capacity, request_.precision);
  buckets_ = make(most.elements * complex_bytes);
  comb_buckets_ = make(parameters_.comb_loops * most.residues * complex_bytes);
  chunk_ = make(most.chunk * complex_bytes);
  state_ = make(words * word);
  work_ = make(most.work * word);
  comb_work_ = make(most.comb_work * word);
  score_ = make(request_.length + most.residues * word);
  pending_ = make(most.capacity * complex_bytes);
  scratch_ = make(most.scratch);
  words_.resize(words);
}

VotingRunner::Job VotingRunner::job_of(const Signal& signal, std::size_t level,
                                       const sparse::VotingDraws& draws) const {
  const auto& chosen = parameters_.levels[level];
  Job job{&spectra_[level], signal, {}, buckets_.get(), work_.get()};
  auto& v = job.voting;
  v.signal_offset = signal.offset;
  v.log_length = static_cast<std::uint32_t>(std::bit_width(request_.length) - 1);
  v.log_buckets = chosen.log_buckets;
  v.rounds = chosen.window.rounds();
  v.loops = parameters_.loops;
  v.location = parameters_.location;
  v.votes = parameters_.votes;
  v.most = static_cast<std::uint32_t>(chosen.most);
  v.capacity = static_cast<std::uint32_t>(chosen.capacity);
  v.log_comb = parameters_.options.comb ? chosen.log_comb : 0;
  v.own_noise = static_cast<float>(parameters_.own_noise());
  std::copy(draws.sigma.begin(), draws.sigma.end(), v.sigma);
  std::copy(draws.inverse.begin(), draws.inverse.end(), v.inverse);
  std::copy(draws.tau.begin(), draws.tau.end(), v.tau);
  std::copy(draws.times.begin(), draws.times.end(), v.times);
  return job;
}

VotingRunner::Job VotingRunner::comb_of(const Job& job, std::size_t level,
                                        const sparse::VotingDraws& draws) const {
  const auto& chosen = parameters_.levels[level];
  Job residues = job;
  residues.buckets = comb_buckets_.get();
  residues.work = comb_work_.get();
  auto& v = residues.voting;
  v.log_buckets = chosen.log_comb;
  v.loops = v.location = parameters_.comb_loops;
  v.most = static_cast<std::uint32_t>(std::min(chosen.most, chosen.comb() / 2));
  std::copy(draws.more.begin(), draws.more.end(), v.tau);
  return residues;
}

void VotingRunner::launch(runtime::Sequence& sequence, const Job& job, Stage stage,
                          std::uint64_t items, Part part) const {
  const cl_kernel kernel = kernels_[stage].get();
  runtime::Arguments(kernel)
      .value(job.signal.memory)
      .value(job.spectra->taps.get())
      .value(job.spectra->responses.get())
      .value(job.buckets)
      .value(chunk_ ? chunk_.get() : buckets_.get())
      .value(state_.get())
      .value(job.work)
      .value(score_.get())
      .value(pending_.get())
      .value(job.voting)
      .value(part.loop)
      .value(part.size);
  sequence.launch({kernel, kStages[stage].kernel, base::ceil_divide(items, kGroup), kGroup});
}

void VotingRunner::run(runtime::Sequence& sequence, const engine::Engine& engine,
                       cl_mem buckets) const {
  runtime::Call call;
  call.input = call.output = {buckets, nullptr, 0};
  call.scratch = scratch_.get();
  sequence.run(*engine.forward, call);
}

void VotingRunner::filter_signal(runtime::Sequence& sequence, const Job& job) const {
  const auto& options = parameters_.options;
  const std::uint64_t loops = parameters_.loops, taps = job.voting.rounds * job.points();
  if (options.layout_transformation)
    filter_in_two_queues(sequence, job);
  else if (options.loop_partition)
    launch(sequence, job, filter, loops * job.points());
  else
    launch(sequence, job, filter, loops * taps / (options.index_mapping ? 1 : kStretch));
}

// A half of the chunk is written again when the sums over it are done.
void VotingRunner::filter_in_two_queues(runtime::Sequence& sequence, const Job& job) const {
  runtime::Sequence side(side_queue_.get(), true, {});
  std::array<runtime::Handle<cl_event>, 2> done;
  side.wait_for(sequence.mark());
  for (std::uint32_t loop = 0; loop < parameters_.loops; ++loop) {
    if (done[loop & 1]) side.wait_for(std::move(done[loop & 1]));
    launch(side, job, remap, job.voting.rounds * job.points(), {loop, 0});
    sequence.wait_for(side.mark());
    launch(sequence, job, accumulate, job.points(), {loop, 0});
    done[loop & 1] = sequence.mark();
  }
}

void VotingRunner::cut(runtime::Sequence& sequence, const Job& job) const {
  if (!parameters_.options.threshold_selection) return sort_and_select(sequence, job);
  const std::uint64_t loops = job.voting.location, points = job.points();
  launch(sequence, job, bins, loops * std::max<std::uint64_t>(1, points / kCounted) * kGroup);
  launch(sequence, job, limit, loops * kGroup);
  launch(sequence, job, select, loops * points);
}

void VotingRunner::sort_and_select(runtime::Sequence& sequence, const Job& job) const {
  const std::uint64_t keys = job.voting.location * job.points();
  const std::uint64_t in_groups = base::ceil_divide(keys, kSorted) * kGroup;
  launch(sequence, job, sort_group, in_groups);
  for (std::uint64_t size = 2 * kSorted; size <= job.points(); size *= 2) {
    for (std::uint64_t stride = size / 2; stride >= kSorted; stride /= 2)
      launch(sequence, job, sort_stride, keys / 2,
             {static_cast<std::uint32_t>(stride), static_cast<std::uint32_t>(size)});
    launch(sequence, job, sort_group, in_groups, {0, static_cast<std::uint32_t>(size)});
  }
  launch(sequence, job, take, job.voting.location * kGroup);
}

void VotingRunner::vote_for(runtime::Sequence& sequence, const Job& job,
                            const Job* comb_job) const {
  if (comb_job) {
    const std::uint64_t loops = comb_job->voting.loops;
    launch(sequence, *comb_job, clear, kGroup * kGroup, {1, 0});
    launch(sequence, *comb_job, comb, loops * comb_job->points());
    run(sequence, comb_job->spectra->comb, comb_job->buckets);
    cut(sequence, *comb_job);
    launch(sequence, *comb_job, mark, loops * comb_job->voting.most);
  }
  cut(sequence, job);
  launch(sequence, job, vote, std::uint64_t{job.voting.location} * job.voting.most * kGroup);
}

void VotingRunner::measure(runtime::Sequence& sequence, const Job& job) const {
  const std::uint64_t all = parameters_.loops * job.points();
  const unsigned refinements = parameters_.options.refinements;
  launch(sequence, job, estimate, job.voting.capacity);
  for (unsigned i = 0; i < refinements; ++i) {
    launch(sequence, job, subtract, all);
    launch(sequence, job, refine, job.voting.capacity);
  }
  launch(sequence, job, subtract, all, {1, 0});
  launch(sequence, job, check_stage, sparse::IMAGO_CHECKS * kGroup);
}

sparse::Reading VotingRunner::read(runtime::Sequence& sequence, const Job& job) {
  const Precision precision = request_.precision;
  const auto copy = [&](std::size_t begin, std::size_t end) {
    if (end > begin)
      sequence.read(state_.get(), begin * sizeof(std::uint32_t),
                    (end - begin) * sizeof(std::uint32_t), &words_[begin]);
  };
  const std::size_t header = sparse::state_words(0, precision);
  copy(0, header);
  const std::uint64_t capacity = job.voting.capacity;
  copy(header, sparse::state_words(sparse::tones_in(words_, 0, capacity), precision));
  auto reading = sparse::read_state(words_, 0, capacity, precision, parameters_.own_noise(),
                                    sparse::kNoiseOfOne);
  reading.full = reading.full || reading.unfinished;
  reading.unfinished = false;
  sparse::charge(reading, job.spectra->gain);
  sparse::prune(reading,
                std::max(kLeastNoise * reading.noise, 4 * parameters_.own_noise() * reading.peak));
  return reading;
}

sparse::Reading VotingRunner::attempt(runtime::Sequence& sequence, const Signal& signal,
                                      std::size_t level, const sparse::VotingDraws& draws) {
  const auto job = job_of(signal, level, draws);
  const auto residues = comb_of(job, level, draws);
  const std::uint64_t words = request_.length / 4;
  launch(sequence, job, clear, std::min<std::uint64_t>(words, kMostClearingGroups * kGroup));
  filter_signal(sequence, job);
  run(sequence, job.spectra->engine, job.buckets);
  vote_for(sequence, job, parameters_.options.comb ? &residues : nullptr);
  measure(sequence, job);
  return read(sequence, job);
}

std::string VotingRunner::describe(const device::Facts& facts) const {
  const auto& level = parameters_.levels.front();
  const auto& options = parameters_.options;
  const auto text = [](std::uint64_t number) { return std::to_string(number); };
  const std::uint64_t votes =
      parameters_.location * level.most * (request_.length / level.buckets());
  return "  " + text(parameters_.loops) + " dilations x " + text(level.buckets()) +
         " buckets, filter of " + text(level.window.support()) + " taps, up to " +
         text(parameters_.levels.size()) + " levels\n  permute, filter, fold: " +
         text(options.layout_transformation ? 2 * parameters_.loops : 1) + " launches, " +
         text(parameters_.samples(level)) +
         " samples\n  transforms of the buckets: " + text(spectra_.front().engine.launches()) +
         " launches\n  cutoff: " + (options.threshold_selection ? "a threshold" : "a sort") +
         ", at most " + text(level.most) + " buckets of each of " + text(parameters_.location) +
         " loops\n  location: " + text(parameters_.votes) + " votes of " +
         text(parameters_.location) + (options.comb ? ", comb of " + text(level.comb()) : "") +
         ", up to " + text(votes) + " votes\n  medians of " + text(parameters_.loops) +
         " loops, refined " + text(options.refinements) +
         " times\n  check and list: " + text(sparse::IMAGO_CHECKS) + " samples\n  all: " +
         text(sparse::launches(parameters_, level) + spectra_.front().engine.launches()) +
         " launches, predicted: " +
         std::to_string(1e6 * sparse::seconds(parameters_, level, facts)) + " us\n";
}

}  // namespace imago::sparse_device
