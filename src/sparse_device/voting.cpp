// This file runs attempts of the voting method on a device.
#include "sparse_device/voting.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/integers.hpp"
#include "base/text.hpp"
#include "runtime/queue.hpp"
#include "sparse/verdict.hpp"

namespace imago::sparse_device {
namespace {

using Stage = VotingStage;

constexpr std::size_t kMostClearingGroups = 4096;
constexpr double kLeastNoise = 2;  // relative to the noise; a median of noise alone rarely reaches
                                   // it

runtime::Handle<cl_command_queue> side_queue(const Setup& setup,
                                             const sparse::VotingParameters& parameters) {
  if (!parameters.options.layout_transformation) return {};
  return runtime::make_queue(setup.target.context, setup.target.device);
}

/// Enqueues the stages of one attempt, whose order and sizes depend on the method's options. All
/// arguments are borrowed.
class VotingStages {
 public:
  VotingStages(runtime::Sequence& sequence, const VotingDevice& device,
               const sparse::VotingParameters& parameters)
      : sequence_(sequence), device_(device), parameters_(parameters) {}

  /// Clears the results of earlier attempts, then permutes, filters and folds the signal.
  void filter(const VotingJob& job) const;
  /// Folds the signal into the comb's residues.
  void comb(const VotingJob& residues) const;
  /// Selects the comb's largest residues and marks them.
  void mark(const VotingJob& residues) const;
  /// Selects the largest buckets and votes for their candidate frequencies.
  void vote(const VotingJob& job) const;
  /// Measures the frequencies with enough votes, and checks the result.
  void measure(const VotingJob& job) const;
  /// Transforms in place.
  void transform(const engine::Engine& engine, cl_mem buckets) const;

 private:
  void launch(const VotingJob& job, const VotingKernels::Launch& launch) const;
  void filter_in_two_queues(const VotingJob& job) const;
  void cut(const VotingJob& job) const;
  void sort_and_select(const VotingJob& job) const;

  runtime::Sequence& sequence_;
  const VotingDevice& device_;
  const sparse::VotingParameters& parameters_;
};

void VotingStages::launch(const VotingJob& job, const VotingKernels::Launch& launch) const {
  device_.kernels.launch(sequence_, device_.memory, job, launch);
}

void VotingStages::transform(const engine::Engine& engine, cl_mem buckets) const {
  runtime::Call call;
  call.input = call.output = {buckets, nullptr, 0};
  call.scratch = {device_.memory.scratch.get(), engine.counters.get()};
  sequence_.run(*engine.forward, call);
}

void VotingStages::filter(const VotingJob& job) const {
  const std::uint64_t words = (std::uint64_t{1} << job.voting.log_length) / 4;
  launch(job, {Stage::clear, std::min<std::uint64_t>(words, kMostClearingGroups * kVotingGroup)});
  const auto& options = parameters_.options;
  const std::uint64_t loops = parameters_.loops, taps = job.voting.rounds * job.points();
  if (options.layout_transformation)
    filter_in_two_queues(job);
  else if (options.loop_partition)
    launch(job, {Stage::filter, loops * job.points()});
  else
    launch(job, {Stage::filter, loops * taps / (options.index_mapping ? 1 : kVotingStretch)});
}

// Writes a half of the chunk again only after the sums over it are done.
void VotingStages::filter_in_two_queues(const VotingJob& job) const {
  runtime::Sequence side(device_.side_queue.get());
  std::array<runtime::Handle<cl_event>, 2> done;
  side.wait_for(sequence_.mark());
  for (std::uint32_t loop = 0; loop < parameters_.loops; ++loop) {
    if (done[loop & 1]) side.wait_for(std::move(done[loop & 1]));
    device_.kernels.launch(side, device_.memory, job,
                           {Stage::remap, job.voting.rounds * job.points(), loop});
    sequence_.wait_for(side.mark());
    launch(job, {Stage::accumulate, job.points(), loop});
    done[loop & 1] = sequence_.mark();
  }
}

void VotingStages::cut(const VotingJob& job) const {
  if (!parameters_.options.threshold_selection) return sort_and_select(job);
  const std::uint64_t loops = job.voting.location, points = job.points();
  launch(job,
         {Stage::bins, loops * std::max<std::uint64_t>(1, points / kVotingCounted) * kVotingGroup});
  launch(job, {Stage::limit, loops * kVotingGroup});
  launch(job, {Stage::select, loops * points});
}

void VotingStages::sort_and_select(const VotingJob& job) const {
  const std::uint64_t keys = job.voting.location * job.points();
  const std::uint64_t in_groups = base::ceil_divide(keys, kVotingSorted) * kVotingGroup;
  launch(job, {Stage::sort_group, in_groups});
  for (std::uint64_t size = 2 * kVotingSorted; size <= job.points(); size *= 2) {
    const auto sorted = static_cast<std::uint32_t>(size);
    for (std::uint64_t stride = size / 2; stride >= kVotingSorted; stride /= 2)
      launch(job, {Stage::sort_stride, keys / 2, static_cast<std::uint32_t>(stride), sorted});
    launch(job, {Stage::sort_group, in_groups, 0, sorted});
  }
  launch(job, {Stage::take, job.voting.location * kVotingGroup});
}

void VotingStages::comb(const VotingJob& residues) const {
  launch(residues, {Stage::clear, kVotingGroup * kVotingGroup, 1});
  launch(residues, {Stage::comb, std::uint64_t{residues.voting.loops} * residues.points()});
}

void VotingStages::mark(const VotingJob& residues) const {
  cut(residues);
  launch(residues, {Stage::mark, std::uint64_t{residues.voting.loops} * residues.voting.most});
}

void VotingStages::vote(const VotingJob& job) const {
  cut(job);
  launch(job, {Stage::vote, std::uint64_t{job.voting.location} * job.voting.most * kVotingGroup});
}

void VotingStages::measure(const VotingJob& job) const {
  const std::uint64_t all = parameters_.loops * job.points();
  launch(job, {Stage::estimate, job.voting.capacity});
  for (unsigned i = 0; i < parameters_.options.refinements; ++i) {
    launch(job, {Stage::subtract, all});
    launch(job, {Stage::refine, job.voting.capacity});
  }
  launch(job, {Stage::subtract, all, 1});
  launch(job, {Stage::check, device_.kernels.checkers() * kVotingGroup});
}

sparse::Voting buckets_of(const sparse::Request& request,
                          const sparse::VotingParameters& parameters,
                          const sparse::VotingLevel& level, const sparse::VotingDraws& draws) {
  sparse::Voting v = {};
  v.log_length = static_cast<std::uint32_t>(std::bit_width(request.length) - 1);
  v.log_buckets = level.log_buckets;
  v.rounds = level.window.rounds();
  v.loops = parameters.loops;
  v.location = parameters.location;
  v.votes = parameters.votes;
  v.most = static_cast<std::uint32_t>(level.most);
  v.capacity = static_cast<std::uint32_t>(level.capacity);
  v.log_comb = parameters.options.comb ? level.log_comb : 0;
  v.own_noise = static_cast<float>(parameters.own_noise());
  std::copy(draws.sigma.begin(), draws.sigma.end(), v.sigma);
  std::copy(draws.inverse.begin(), draws.inverse.end(), v.inverse);
  std::copy(draws.tau.begin(), draws.tau.end(), v.tau);
  v.check_seed = draws.check_seed;
  return v;
}

sparse::Voting residues_of(const sparse::Request& request,
                           const sparse::VotingParameters& parameters,
                           const sparse::VotingLevel& level, const sparse::VotingDraws& draws) {
  auto v = buckets_of(request, parameters, level, draws);
  v.log_buckets = level.log_comb;
  v.loops = v.location = parameters.comb_loops;
  v.most = static_cast<std::uint32_t>(std::min(level.most, level.comb() / 2));
  std::copy(draws.more.begin(), draws.more.end(), v.tau);
  return v;
}

/// Returns the sizes for the largest level, with the scratch memory of each level's transforms.
VotingSizes voting_sizes(const sparse::Request& request, const sparse::VotingParameters& parameters,
                         const std::vector<std::size_t>& scratch) {
  VotingSizes most;
  for (std::size_t i = 0; i < parameters.levels.size(); ++i) {
    const auto& level = parameters.levels[i];
    most.grow(parameters, level, buckets_of(request, parameters, level, {}),
              residues_of(request, parameters, level, {}), scratch[i]);
  }
  return most;
}

}  // namespace

VotingRunner::VotingRunner(const Setup& setup, const sparse::VotingParameters& parameters)
    : request_(setup.request),
      parameters_(parameters),
      spectra_(make_spectra(setup, parameters)),
      device_{VotingKernels(setup, parameters),
              VotingMemory(setup, parameters, voting_sizes(request_, parameters_, scratch_bytes())),
              side_queue(setup, parameters)} {}

std::vector<VotingRunner::Spectra> VotingRunner::make_spectra(
    const Setup& setup, const sparse::VotingParameters& parameters) {
  const cl_context context = setup.target.context;
  const Precision precision = setup.request.precision;
  std::vector<Spectra> made;
  for (const auto& level : parameters.levels) {
    Spectra spectra;
    spectra.engine = bucket_engine(setup, level.buckets(), parameters.loops);
    if (parameters.options.comb)
      spectra.comb = bucket_engine(setup, level.comb(), parameters.comb_loops);
    const auto taps = level.window.taps();
    spectra.taps = upload_reals(context, taps, precision);
    spectra.gain = gain_of(taps);
    spectra.responses =
        upload_reals(context, level.window.responses(level.window.reach()), precision);
    made.push_back(std::move(spectra));
  }
  return made;
}

/// Returns the bytes for the transforms of each level.
std::vector<std::size_t> VotingRunner::scratch_bytes() const {
  std::vector<std::size_t> scratch;
  for (const Spectra& spectra : spectra_)
    scratch.push_back(std::max(spectra.engine.scratch_bytes(),
                               parameters_.options.comb ? spectra.comb.scratch_bytes() : 0));
  return scratch;
}

sparse::Reading VotingRunner::read(runtime::Sequence& sequence, const VotingJob& job) {
  auto& memory = device_.memory;
  const Precision precision = request_.precision;
  const auto copy = [&](std::size_t begin, std::size_t end) {
    if (end > begin)
      sequence.read(memory.state.get(), begin * sizeof(std::uint32_t),
                    (end - begin) * sizeof(std::uint32_t), &memory.words[begin]);
  };
  const std::size_t header = sparse::state_words(0, precision);
  copy(0, header);
  const std::uint64_t capacity = job.voting.capacity;
  copy(header, sparse::state_words(sparse::tones_in(memory.words, 0, capacity), precision));
  auto reading = sparse::read_state(memory.words, 0, capacity, precision, parameters_.own_noise(),
                                    sparse::kNoiseOfOne);
  reading.full = reading.full || reading.unfinished;
  reading.unfinished = false;
  return reading;
}

sparse::Reading VotingRunner::attempt(runtime::Sequence& sequence, const Signal& signal,
                                      const Start& start) {
  const auto draws = sparse::draw_voting(request_.length, start.seed, start.number);
  const auto& level = parameters_.levels[start.rung.level];
  const auto& spectra = spectra_[start.rung.level];
  const auto& memory = device_.memory;
  VotingJob job{signal,
                spectra.taps.get(),
                spectra.responses.get(),
                buckets_of(request_, parameters_, level, draws),
                memory.buckets.get(),
                memory.work.get()};
  job.voting.signal_offset = signal.offset;
  const VotingStages stages(sequence, device_, parameters_);
  stages.filter(job);
  stages.transform(spectra.engine, job.buckets);
  if (parameters_.options.comb) {
    VotingJob residues = job;
    residues.voting = residues_of(request_, parameters_, level, draws);
    residues.voting.signal_offset = signal.offset;
    residues.buckets = memory.comb_buckets.get();
    residues.work = memory.comb_work.get();
    stages.comb(residues);
    stages.transform(spectra.comb, residues.buckets);
    stages.mark(residues);
  }
  stages.vote(job);
  stages.measure(job);
  auto reading = read(sequence, job);
  sparse::charge(reading, spectra.gain);
  sparse::prune(reading,
                std::max(kLeastNoise * reading.noise, 4 * parameters_.own_noise() * reading.peak));
  return reading;
}

sparse::Decision VotingRunner::judge(const sparse::Reading& reading,
                                     const sparse::Attempted& attempted) const {
  return sparse::judge(reading, attempted, parameters_, request_.tolerance);
}

double VotingRunner::floor(const sparse::Reading& reading, const Rung& rung) const {
  return sparse::floor_of(reading, parameters_.levels[rung.level]);
}

std::uint64_t VotingRunner::samples(const Rung& rung) const {
  return parameters_.samples(parameters_.levels[rung.level]);
}

double VotingRunner::seconds(const Rung& rung, const device::Facts& facts) const {
  return sparse::seconds(parameters_, parameters_.levels[rung.level], facts);
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
         text(parameters_.samples(level)) + " samples\n  transforms of the buckets: " +
         base::counted(spectra_.front().engine.launches(), "launch", "launches") +
         "\n  cutoff: " + (options.threshold_selection ? "a threshold" : "a sort") + ", at most " +
         text(level.most) + " buckets of each of " + text(parameters_.location) +
         " loops\n  location: " + text(parameters_.votes) + " votes of " +
         text(parameters_.location) + (options.comb ? ", comb of " + text(level.comb()) : "") +
         ", up to " + text(votes) + " votes\n  medians of " + text(parameters_.loops) +
         " loops, refined " + text(options.refinements) + " times\n  check and list: up to " +
         text(sparse::IMAGO_MOST_CHECKS) + " samples\n  all: " +
         text(sparse::launches(parameters_, level) + spectra_.front().engine.launches()) +
         " launches, predicted: " + base::seconds_text(sparse::seconds(parameters_, level, facts)) +
         "\n";
}

void VotingRunner::list(KernelLists& lists) const {
  for (const Spectra& spectra : spectra_) {
    lists.add(spectra.engine);
    if (parameters_.options.comb) lists.add(spectra.comb);
  }
  lists.add(device_.kernels.all());
}

Estimate estimate_of(const Setup& setup, const sparse::VotingParameters& parameters) {
  const auto& request = setup.request;
  const auto& first = parameters.levels.front();
  Estimate sum;
  std::vector<std::size_t> scratch;
  for (const auto& level : parameters.levels) {
    std::vector<Transform> transforms = {
        bucket_transform(request, level.buckets(), parameters.loops)};
    if (parameters.options.comb)
      transforms.push_back(bucket_transform(request, level.comb(), parameters.comb_loops));
    scratch.push_back(0);
    for (const Transform& transform : transforms) {
      const Estimate buckets = estimate_of(setup, transform);
      scratch.back() = std::max(scratch.back(), buckets.workspace_bytes);
      sum.table_bytes += buckets.table_bytes;
      if (scratch.size() == 1) sum.kernels += buckets.kernels;
    }
  }
  sum.workspace_bytes =
      VotingMemory(setup, parameters, voting_sizes(request, parameters, scratch)).bytes;
  sum.kernels += sparse::launches(parameters, first);
  sum.bytes_moved = parameters.samples(first) * (request.signal_bytes() / request.length);
  sum.seconds = sparse::seconds(parameters, first, setup.facts);
  return sum;
}

}  // namespace imago::sparse_device
