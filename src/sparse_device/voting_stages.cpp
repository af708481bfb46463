// This file enqueues the stages of an attempt of the voting method.
#include "sparse_device/voting_stages.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/integers.hpp"

namespace imago::sparse_device {
namespace {

using Stage = VotingStage;

constexpr std::size_t kGroup = kVotingGroup;
constexpr std::size_t kMostClearingGroups = 4096;

}  // namespace

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
  launch(job, {Stage::clear, std::min<std::uint64_t>(words, kMostClearingGroups * kGroup)});
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
  launch(job, {Stage::bins, loops * std::max<std::uint64_t>(1, points / kVotingCounted) * kGroup});
  launch(job, {Stage::limit, loops * kGroup});
  launch(job, {Stage::select, loops * points});
}

void VotingStages::sort_and_select(const VotingJob& job) const {
  const std::uint64_t keys = job.voting.location * job.points();
  const std::uint64_t in_groups = base::ceil_divide(keys, kVotingSorted) * kGroup;
  launch(job, {Stage::sort_group, in_groups});
  for (std::uint64_t size = 2 * kVotingSorted; size <= job.points(); size *= 2) {
    const auto sorted = static_cast<std::uint32_t>(size);
    for (std::uint64_t stride = size / 2; stride >= kVotingSorted; stride /= 2)
      launch(job, {Stage::sort_stride, keys / 2, static_cast<std::uint32_t>(stride), sorted});
    launch(job, {Stage::sort_group, in_groups, 0, sorted});
  }
  launch(job, {Stage::take, job.voting.location * kGroup});
}

void VotingStages::comb(const VotingJob& residues) const {
  launch(residues, {Stage::clear, kGroup * kGroup, 1});
  launch(residues, {Stage::comb, std::uint64_t{residues.voting.loops} * residues.points()});
}

void VotingStages::mark(const VotingJob& residues) const {
  cut(residues);
  launch(residues, {Stage::mark, std::uint64_t{residues.voting.loops} * residues.voting.most});
}

void VotingStages::vote(const VotingJob& job) const {
  cut(job);
  launch(job, {Stage::vote, std::uint64_t{job.voting.location} * job.voting.most * kGroup});
}

void VotingStages::measure(const VotingJob& job) const {
  const std::uint64_t all = parameters_.loops * job.points();
  launch(job, {Stage::estimate, job.voting.capacity});
  for (unsigned i = 0; i < parameters_.options.refinements; ++i) {
    launch(job, {Stage::subtract, all});
    launch(job, {Stage::refine, job.voting.capacity});
  }
  launch(job, {Stage::subtract, all, 1});
  launch(job, {Stage::check, device_.kernels.checkers() * kGroup});
}

}  // namespace imago::sparse_device
