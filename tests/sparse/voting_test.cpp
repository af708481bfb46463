// This file checks the voting method on a device: its results with each of its switches, and that
// its claims are true.
#include <imago/imago.hpp>

#include "sparse/solving.hpp"
#include "sparse/verdict.hpp"
#include "sparse_device/voting.hpp"

namespace imago {
namespace {

using catalogue::Tones;
using test::Outcome;
using test::solve;
using test::tones;

SparseTransform voting(const Tones& tones, Precision precision = Precision::f32) {
  return test::only(SparseMethod::voting, tones, precision);
}

void check_found(const Outcome& outcome, double error) {
  CHECK(outcome.answer.verdict == Verdict::consistent);
  CHECK(outcome.answer.used == SparseMethod::voting);
  CHECK(outcome.comparison.missed == 0);
  CHECK(outcome.comparison.spurious == 0);
  CHECK(outcome.comparison.mean_error < error);
}

TEST_CASE("Voting finds every coefficient of powers of two", "[sparse]") {
  for (const auto& [n, k] :
       {std::pair{1 << 12, 1}, {1 << 14, 1}, {1 << 14, 50}, {1 << 17, 300}, {1 << 18, 1000}}) {
    const auto t = tones(n, k);
    INFO("length " << n << ", sparsity " << k);
    check_found(solve(t, voting(t)), 1e-6);
  }
  if (!test::default_device().f64()) return;
  const auto t = tones(1 << 16, 50);
  check_found(solve(t, voting(t, Precision::f64)), 1e-12);
}

TEST_CASE("Voting: real signals, runs of frequencies, amplitudes over 40 dB", "[sparse]") {
  auto t = tones(1 << 17, 50);
  t.real = true;
  check_found(solve(t, voting(t)), 1e-6);
  t = tones(1 << 17, 100);
  t.support = catalogue::Support::run;
  check_found(solve(t, voting(t)), 1e-6);
  t.support = catalogue::Support::random;
  t.dynamic_range_db = 40;
  check_found(solve(t, voting(t)), 1e-6);
}

TEST_CASE("Voting: noise, and a sparsity that is unknown or wrong", "[sparse]") {
  auto t = tones(1 << 17, 50);
  for (const std::size_t hint : {0, 200}) {
    auto wish = voting(t);
    wish.sparsity = hint;
    check_found(solve(t, wish), 1e-6);
  }
  t.snr_db = 20;
  auto told = voting(t);
  told.noise = 0.1;
  check_found(solve(t, told), 0.1);
  const auto blind = solve(t, voting(t));
  CHECK(blind.comparison.missed == 0);
  CHECK(blind.answer.verdict == Verdict::noise_floor);
}

TEST_CASE("Voting claims nothing of what is not sparse", "[sparse]") {
  for (const std::uint64_t k : {1000, 5000, 1 << 16}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const auto t = tones(1 << 16, k, seed);
      auto wish = voting(t);
      wish.sparsity = 50;
      wish.seed = seed;
      const auto outcome = solve(t, wish);
      if (outcome.comparison.missed > 0) CHECK(outcome.answer.verdict == Verdict::unverified);
    }
  }
}

TEST_CASE("Voting: transforms that do not fit the method are rejected", "[sparse]") {
  const auto& device = test::default_device();
  for (const auto& t : {tones(100000, 10), tones(2048, 10), tones(1 << 14, 1000)})
    CHECK_THROWS_AS(SparsePlan(device.context, device.device, voting(t)), Unsupported);
}

/// Runs one attempt with switches that a SparsePlan does not offer.
sparse::Reading attempt(const sparse::VotingOptions& options) {
  const auto t = tones(1 << 17, 200);
  const test::Example example(t, voting(t));
  const auto parameters = sparse::voting_parameters(example.request, options).value();
  sparse_device::VotingRunner runner(example.setup(), parameters);
  runtime::Sequence sequence(test::default_device().queue());
  auto reading = runner.attempt(sequence, example.where(), {.seed = 3});
  if (options.refinements == 0) return reading;
  for (const auto& tone : reading.tones)
    CHECK(std::binary_search(example.signal.indices.begin(), example.signal.indices.end(),
                             tone.frequency));
  return reading;
}

TEST_CASE("Voting: every optimisation on or off finds the same", "[sparse][long]") {
  std::vector<sparse::VotingOptions> variants(7);
  variants[1].index_mapping = false;
  variants[2].loop_partition = false;
  variants[3].index_mapping = variants[3].loop_partition = false;
  variants[4].layout_transformation = true;
  variants[5].threshold_selection = false;
  variants[6].comb = true;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    INFO("variant " << i);
    const auto reading = attempt(variants[i]);
    CHECK(reading.tones.size() == 200);
    CHECK(sparse::clean(reading));
    CHECK(reading.residual < 1e-4);
  }
}

TEST_CASE("Voting: the Gaussian window, the comb with a sort, the paper's medians alone",
          "[sparse]") {
  sparse::VotingOptions options;
  options.shape = sparse::FlatShape::gaussian;
  CHECK(attempt(options).tones.size() == 200);
  options = {};
  options.comb = true;
  options.threshold_selection = false;
  CHECK(attempt(options).tones.size() == 200);
  // If several tones share buckets, the paper's medians are wrong by themselves, and the checks
  // report it.
  options = {};
  options.refinements = 0;
  const auto medians = attempt(options);
  CHECK(medians.tones.size() >= 200);
  CHECK(medians.residual > 1e-4);
}

}  // namespace
}  // namespace imago
