// This file checks the parameters that the voting method chooses, and its random numbers.
#include "sparse/voting_parameters.hpp"

#include <imago/error.hpp>

#include "sparse/draws.hpp"
#include "sparse/verdict.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

sparse::Request request(std::uint64_t n, std::uint64_t k, Precision precision = Precision::f32) {
  SparseTransform t;
  t.length = n;
  t.sparsity = k;
  t.precision = precision;
  return sparse::make_request(t);
}

TEST_CASE("Voting: buckets grow with the root of n k, and with k", "[sparse]") {
  const auto buckets = [](std::uint64_t n, std::uint64_t k) {
    return sparse::voting_parameters(request(n, k)).value().levels.front().buckets();
  };
  CHECK(buckets(1 << 27, 1000) == 131072);  // 2 sqrt(n k / log2 n) = 141000
  CHECK(buckets(1 << 24, 1000) == 32768);   // 52900
  CHECK(buckets(1 << 18, 1000) == 8192);    // 8 per coefficient
  CHECK(buckets(4096, 1) == 256);
}

TEST_CASE("Voting: every level has enough buckets and capacity", "[sparse]") {
  for (const std::uint64_t n : {1ull << 14, 1ull << 18, 1ull << 24, 1ull << 31}) {
    for (const std::uint64_t k : {0, 1, 50, 300, 1000}) {
      const auto parameters = sparse::voting_parameters(request(n, k));
      if (!parameters) continue;
      std::uint64_t before = 0;
      for (const auto& level : parameters->levels) {
        CHECK(level.buckets() > before);
        before = level.buckets();
        CHECK(level.most >= 2 * level.tones);
        CHECK(level.most <= level.buckets() / 2);
        CHECK(level.capacity >= 4 * level.tones);
        CHECK(level.window.rounds() * level.buckets() <= n);
        CHECK(level.window.support() < level.window.rounds() * level.buckets());
        CHECK(level.comb() <= n / 4);
      }
      CHECK(parameters->loops <= std::size_t{sparse::IMAGO_MAX_LOOPS});
      CHECK(parameters->location <= unsigned{sparse::IMAGO_MAX_LOCATION});
      CHECK(parameters->votes <= parameters->location);
    }
  }
}

TEST_CASE("Voting: lengths and sparsities that do not fit", "[sparse]") {
  CHECK_FALSE(sparse::voting_parameters(request(100000, 10)));
  CHECK_FALSE(sparse::voting_parameters(request(2048, 1)));
  CHECK_FALSE(sparse::voting_parameters(request(1ull << 32, 10)));
  CHECK_FALSE(sparse::voting_parameters(request(1 << 14, 1000)));
  CHECK(sparse::voting_parameters(request(1 << 18, 1000)));
}

TEST_CASE("Voting: switches that do not go together are refused", "[sparse]") {
  sparse::VotingOptions options;
  options.loop_partition = false;
  CHECK(sparse::voting_parameters(request(1 << 18, 50), options));
  CHECK_THROWS_AS(sparse::voting_parameters(request(1 << 18, 50, Precision::f64), options),
                  Unsupported);
  options.layout_transformation = true;
  CHECK_THROWS_AS(sparse::voting_parameters(request(1 << 18, 50), options), Unsupported);
}

TEST_CASE("Voting: samples, launches and times that are predicted", "[sparse]") {
  sparse::VotingOptions options;
  auto parameters = sparse::voting_parameters(request(1 << 24, 1000), options).value();
  const auto level = parameters.levels.front();  // a copy: other parameters follow
  CHECK(parameters.samples(level) == 16 * level.window.rounds() * level.buckets());
  // Clear, filter, three of the cutoff, vote, estimate, subtract and refine twice, subtract, check.
  CHECK(sparse::launches(parameters, level) == 1 + 1 + 3 + 1 + 1 + 4 + 1 + 1);
  const device::Facts facts;
  const double fast = sparse::seconds(parameters, level, facts);
  CHECK(fast > 0);
  options.layout_transformation = true;
  parameters = sparse::voting_parameters(request(1 << 24, 1000), options).value();
  CHECK(sparse::launches(parameters, level) == 12 + 32);
  // 2^15 keys: a first sort of groups, then sizes 2^10 to 2^15 with their strides.
  options.layout_transformation = false;
  options.threshold_selection = false;
  parameters = sparse::voting_parameters(request(1 << 24, 1000), options).value();
  CHECK(sparse::launches(parameters, level) == 10 + 1 + (1 + 2 + 3 + 4 + 5 + 6) + 6 + 1);
  CHECK(sparse::seconds(parameters, level, facts) > fast);
}

TEST_CASE("Voting: dilations have inverses, and attempts differ", "[sparse]") {
  const std::uint64_t n = 1 << 20;
  const auto first = sparse::draw_voting(n, 7, 0), second = sparse::draw_voting(n, 7, 1);
  for (std::size_t l = 0; l < first.sigma.size(); ++l) {
    CHECK(std::uint64_t{first.sigma[l]} * first.inverse[l] % n == 1);
    CHECK(first.tau[l] < n);
    CHECK(first.sigma[l] != second.sigma[l]);
  }
  CHECK(first.check_seed != second.check_seed);
  CHECK(first.sigma == sparse::draw_voting(n, 7, 0).sigma);
}

TEST_CASE("Voting: both checks must pass", "[sparse]") {
  using sparse::Next;
  const auto parameters = sparse::voting_parameters(request(1 << 20, 100)).value();
  REQUIRE(parameters.levels.size() > 1);
  sparse::Reading reading;
  reading.peak = reading.largest = reading.energy = 1;
  reading.noise = 1e-6;
  reading.worst = 4e-6;
  reading.residual = 1e-5;
  reading.tones.resize(100);
  const auto next = [&](const sparse::Attempted& attempted) {
    return sparse::judge(reading, attempted, parameters, 1e-4).next;
  };
  CHECK(next({}) == Next::accept_consistent);
  reading.residual = 1e-3;
  CHECK(next({}) == Next::retry);
  sparse::Attempted again{1, 1, false, 100, 100};
  CHECK(next(again) == Next::accept_noise_floor);
  again.common = 99;
  CHECK(next(again) != Next::accept_noise_floor);
  reading.residual = 1e-5;
  reading.worst = 5e-6;
  CHECK(next({}) == Next::retry);
  CHECK(next({9, parameters.levels.size() - 1, false, 0, 0}) == Next::give_up);
  reading.worst = 1e-6;
  reading.full = true;
  CHECK(next({}) == Next::retry);
}

}  // namespace
}  // namespace imago
