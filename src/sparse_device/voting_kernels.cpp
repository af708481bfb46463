// This file builds the kernels of the voting method and launches them.
#include "sparse_device/voting_kernels.hpp"

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "runtime/arguments.hpp"

namespace imago::sparse_device {
namespace {

/// Kernels and files, in the order of VotingStage.
constexpr std::pair<const char*, const char*> kStages[] = {
    {"voting_clear", "voting_filter.cl"},    {"voting_filter", "voting_filter.cl"},
    {"voting_remap", "voting_filter.cl"},    {"voting_accumulate", "voting_filter.cl"},
    {"voting_comb", "voting_filter.cl"},     {"voting_bins", "voting_cut.cl"},
    {"voting_limit", "voting_cut.cl"},       {"voting_select", "voting_cut.cl"},
    {"voting_sort_group", "voting_cut.cl"},  {"voting_sort_stride", "voting_cut.cl"},
    {"voting_take", "voting_cut.cl"},        {"voting_mark", "voting_vote.cl"},
    {"voting_vote", "voting_vote.cl"},       {"voting_estimate", "voting_estimate.cl"},
    {"voting_refine", "voting_estimate.cl"}, {"voting_subtract", "voting_estimate.cl"},
    {"voting_check", "voting_check.cl"},
};

bool runs(VotingStage stage, const sparse::VotingOptions& options) {
  switch (stage) {
    case VotingStage::filter:
      return !options.layout_transformation;
    case VotingStage::remap:
    case VotingStage::accumulate:
      return options.layout_transformation;
    case VotingStage::comb:
    case VotingStage::mark:
      return options.comb;
    case VotingStage::bins:
    case VotingStage::limit:
    case VotingStage::select:
      return options.threshold_selection;
    case VotingStage::sort_group:
    case VotingStage::sort_stride:
    case VotingStage::take:
      return !options.threshold_selection;
    case VotingStage::refine:
      return options.refinements > 0;
    default:
      return true;
  }
}

std::string options_of(const sparse::Request& request, const device::Facts& facts,
                       const sparse::VotingParameters& parameters) {
  return sparse_build_options(request, facts) +
         defined("IMAGO_INDEX_MAPPING", int{parameters.options.index_mapping}) +
         defined("IMAGO_LOOP_PARTITION", int{parameters.options.loop_partition}) +
         defined("IMAGO_LOOPS", parameters.loops);
}

}  // namespace

std::map<VotingStage, kernel::Handmade> voting_kernels(const sparse::Request& request,
                                                       const device::Facts& facts,
                                                       const sparse::VotingParameters& parameters) {
  const std::string common =
      join_files({"attempt.h", "voting.h", "sparse_common.cl", "voting_common.cl"});
  std::map<VotingStage, kernel::Handmade> kernels;
  for (std::size_t i = 0; i < std::size(kStages); ++i) {
    const auto stage = static_cast<VotingStage>(i);
    if (!runs(stage, parameters.options)) continue;
    const auto& [name, file] = kStages[i];
    const std::string checks = stage == VotingStage::check ? join_files({"sparse_check.cl"}) : "";
    kernels[stage] = {name, options_of(request, facts, parameters) + " -DBUILD_" + name,
                      common + checks + join_files({file}), kVotingGroup};
  }
  return kernels;
}

VotingKernels::VotingKernels(const Setup& setup, const sparse::VotingParameters& parameters)
    : checkers_(check_groups(setup.facts)),
      kernels_(setup.target, voting_kernels(setup.request, setup.facts, parameters),
               engine::disk_cache(setup.options)) {}

void VotingKernels::launch(runtime::Sequence& sequence, const VotingMemory& memory,
                           const VotingJob& job, const Launch& launch) const {
  const cl_kernel kernel = kernels_.shared(launch.stage);
  runtime::Arguments(kernel)
      .value(job.signal.memory)
      .value(job.taps)
      .value(job.responses)
      .value(job.buckets)
      .value(memory.chunk ? memory.chunk.get() : memory.buckets.get())
      .value(memory.state.get())
      .value(job.work)
      .value(memory.score.get())
      .value(memory.pending.get())
      .value(job.voting)
      .value(launch.loop)
      .value(launch.size);
  sequence.launch(
      kernels_.launch(launch.stage, kernel, base::ceil_divide(launch.items, kVotingGroup)));
}

}  // namespace imago::sparse_device
