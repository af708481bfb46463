// This file checks the kernels of the sparse methods for compilers that repeat loads after a
// barrier: the indices of their work-items are volatile.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/text.hpp"
#include "sparse/solving.hpp"
#include "sparse_device/audit.hpp"
#include "sparse_device/dense.hpp"
#include "sparse_device/phase.hpp"
#include "sparse_device/voting.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> all) {
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::uint64_t> frequencies(const std::vector<sparse::Tone>& tones) {
  std::vector<std::uint64_t> all;
  for (const auto& tone : tones) all.push_back(tone.frequency);
  return sorted(std::move(all));
}

void check_every_method(const test::Example& s) {
  const auto queue = test::default_device().queue();
  runtime::Sequence sequence(queue);
  sparse_device::PhaseRunner phase(s.setup(), sparse::phase_parameters(s.request).value());
  const auto found = phase.attempt(sequence, s.where(), {.seed = 3}).tones;
  CHECK(frequencies(found) == s.signal.indices);
  sparse_device::VotingRunner voting(s.setup(), sparse::voting_parameters(s.request).value());
  CHECK(frequencies(voting.attempt(sequence, s.where(), {.seed = 3}).tones) == s.signal.indices);
  sparse_device::DenseRunner dense(s.setup());
  CHECK(sorted(dense.compute(sequence, s.where()).indices) == s.signal.indices);
  sparse_device::AuditRunner audit(s.setup());
  CHECK(audit.audit(sequence, s.where(), found, 1).measured < 1e-5);
}

TEST_CASE("Sparse kernels know where loads are not kept, and find the same", "[sparse][long]") {
  const auto tones = test::tones(1 << 16, 40);
  test::Example s(tones, test::only(SparseMethod::automatic, tones, Precision::f32));
  for (const bool keeps : {true, false}) {
    s.facts.keeps_loads = keeps;
    const auto options = sparse_device::sparse_build_options(s.request, s.facts) + ' ';
    CHECK((options.find(" -DIMAGO_VOLATILE_ITEM ") != std::string::npos) == !keeps);
    check_every_method(s);
  }
}

TEST_CASE("No sparse kernel asks for its work-item but by the functions that keep it", "[sparse]") {
  const std::string common(kernels::text("sparse_common.cl"));
  CHECK_THAT(common, ContainsSubstring("volatile uint kept_item = (uint)get_local_id(0);"));
  for (const auto* file :
       {"audit.cl", "dense_collect.cl", "dense_histogram.cl", "phase_adopt.cl", "phase_buckets.cl",
        "phase_check.cl", "phase_common.cl", "phase_peel.cl", "phase_refine.cl", "phase_sample.cl",
        "sparse_check.cl", "voting_check.cl", "voting_common.cl", "voting_cut.cl",
        "voting_estimate.cl", "voting_filter.cl", "voting_vote.cl"}) {
    INFO(file);
    const std::string text(kernels::text(file));
    CHECK_THAT(text, !ContainsSubstring("get_local_id"));
    CHECK_THAT(text, !ContainsSubstring("get_global_id"));
  }
}

}  // namespace
}  // namespace imago
