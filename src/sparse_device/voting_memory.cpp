// This file allocates the memory of the voting method's kernels.
#include "sparse_device/voting_memory.hpp"

#include <algorithm>

#include "sparse/reading.hpp"
#include "sparse_device/voting_kernels.hpp"

namespace imago::sparse_device {
namespace {

/// Returns the words of the work memory; voting_common.cl defines its layout.
std::size_t work_words(const sparse::Voting& v) {
  return sparse::IMAGO_CUT_HISTOGRAM + std::size_t{v.location} * sparse::IMAGO_CUT_BINS +
         (std::size_t{v.loops} << v.log_buckets) + std::size_t{v.location} * v.most +
         std::size_t{v.capacity} * (1 + v.loops);
}

void raise(std::size_t& size, std::size_t to) { size = std::max(size, to); }

}  // namespace

void VotingSizes::grow(const sparse::VotingParameters& parameters, const sparse::VotingLevel& level,
                       const sparse::Voting& buckets, const sparse::Voting& comb,
                       std::size_t scratch_bytes) {
  const auto& options = parameters.options;
  raise(elements, parameters.loops * level.buckets());
  if (options.layout_transformation) raise(chunk, 2 * level.window.rounds() * level.buckets());
  // One key per bucket; the last work-group of a sort may have loops after the last one.
  if (!options.threshold_selection)
    raise(chunk, parameters.location * std::max(level.buckets(), level.comb()) + kVotingSorted);
  raise(work, work_words(buckets));
  raise(capacity, level.capacity);
  raise(scratch, scratch_bytes);
  if (!options.comb) return;
  raise(residues, level.comb());
  raise(comb_work, work_words(comb));
}

VotingMemory::VotingMemory(const Setup& setup, const sparse::VotingParameters& parameters,
                           const VotingSizes& sizes) {
  const cl_context context = setup.target.context;
  const auto& request = setup.request;
  const std::size_t complex_bytes = 2 * request.real_bytes(), word = 4;
  const std::size_t count = sparse::state_words(sizes.capacity, request.precision);
  buckets = make(context, sizes.elements * complex_bytes);
  comb_buckets = make(context, parameters.comb_loops * sizes.residues * complex_bytes);
  chunk = make(context, sizes.chunk * complex_bytes);
  state = make(context, count * word);
  work = make(context, sizes.work * word);
  comb_work = make(context, sizes.comb_work * word);
  score = make(context, request.length + sizes.residues * word);
  pending = make(context, sizes.capacity * complex_bytes);
  scratch = make(context, sizes.scratch);
  words.resize(count);
}

/// Returns null for zero bytes.
runtime::Handle<cl_mem> VotingMemory::make(cl_context context, std::size_t size) {
  bytes += size;
  if (size == 0 || !context) return {};
  return runtime::allocate(context, size);
}

}  // namespace imago::sparse_device
