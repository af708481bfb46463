// This file checks on a device that the sparse transform finds the tones of signals, and that its
// claims are true.
#include <cmath>
#include <random>

#include <imago/imago.hpp>

#include "sparse/solving.hpp"

namespace imago {
namespace {

using catalogue::Support;
using catalogue::Tones;
using test::Outcome;
using test::solve;
using test::tones;
using test::upload;

SparseTransform phase(const Tones& tones, Precision precision = Precision::f32) {
  return test::only(SparseMethod::phase, tones, precision);
}

void check_recovered(const Outcome& outcome, double error) {
  CHECK(outcome.comparison.missed == 0);
  CHECK(outcome.comparison.spurious == 0);
  CHECK(outcome.comparison.mean_error < error);
  CHECK(outcome.answer.used == SparseMethod::phase);
}

/// About ten times the worst of 300 runs of each kind, whose seeds were drawn as here
/// (docs/measured/sparse.md).
double error_bound(Precision precision) { return precision == Precision::f64 ? 2e-11 : 1e-6; }

bool has(Precision precision) {
  return precision != Precision::f64 || test::default_device().f64();
}

TEST_CASE("Powers of two: every coefficient, no other, to the rounding", "[sparse][long]") {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    if (!has(precision)) continue;
    for (const auto& [n, k] : {std::pair{1 << 14, 1},
                               {1 << 14, 50},
                               {1 << 14, 300},
                               {1 << 17, 50},
                               {1 << 20, 1},
                               {1 << 20, 300}}) {
      const auto t = tones(n, k);
      const auto outcome = solve(t, phase(t, precision));
      check_recovered(outcome, error_bound(precision));
      CHECK(outcome.answer.verdict == Verdict::consistent);
    }
  }
}

TEST_CASE("Any length", "[sparse][long]") {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    if (!has(precision)) continue;
    for (const std::uint64_t n : {100000, 100003, 59049}) {
      const auto t = tones(n, 50);
      const auto outcome = solve(t, phase(t, precision));
      check_recovered(outcome, error_bound(precision));
      CHECK(outcome.answer.verdict == Verdict::consistent);
    }
  }
}

TEST_CASE("Structured spectra", "[sparse]") {
  for (const auto support :
       {Support::run, Support::run_at_dc, Support::equal, Support::apart_1024, Support::blocks}) {
    auto t = tones(1 << 17, 100);
    t.support = support;
    const auto outcome = solve(t, phase(t));
    INFO(catalogue::name(support));
    check_recovered(outcome, 1e-6);
    CHECK(outcome.answer.verdict == Verdict::consistent);
  }
}

TEST_CASE("A thousand to one in amplitude", "[sparse]") {
  auto t = tones(1 << 16, 50);
  t.dynamic_range_db = 60;
  const auto outcome = solve(t, phase(t));
  check_recovered(outcome, 1e-6);
  CHECK(outcome.answer.verdict == Verdict::consistent);
}

TEST_CASE("Noise of known and of unknown level", "[sparse]") {
  for (const double db : {40.0, 20.0}) {
    auto t = tones(1 << 18, 50);
    t.snr_db = db;
    auto wish = phase(t);
    const auto blind = solve(t, wish);
    // A coefficient's own noise is sqrt(k / n) of the signal's; samples have more noise.
    const double noise = std::pow(10.0, -db / 20);
    check_recovered(blind, noise);
    CHECK(blind.answer.verdict == Verdict::noise_floor);
    CHECK(blind.answer.residual == test::Approx(noise).epsilon(0.2));
    wish.noise = noise;
    const auto told = solve(t, wish);
    check_recovered(told, noise);
    CHECK(told.answer.verdict == Verdict::consistent);
  }
}

TEST_CASE("Sparsity unknown or wrong", "[sparse]") {
  const auto t = tones(1 << 17, 100);
  for (const std::size_t hint : {0, 25, 400}) {
    auto wish = phase(t);
    wish.sparsity = hint;
    const auto outcome = solve(t, wish);
    check_recovered(outcome, 1e-6);
    CHECK(outcome.answer.verdict == Verdict::consistent);
  }
}

TEST_CASE("Real signals list half of the spectrum", "[sparse][long]") {
  for (const std::uint64_t n : {1 << 16, 59049}) {
    auto t = tones(n, 50);
    t.real = true;
    auto wish = phase(t);
    wish.kind = Kind::real;
    const auto outcome = solve(t, wish);
    check_recovered(outcome, 1e-6);
    CHECK(outcome.answer.verdict == Verdict::consistent);
    CHECK(outcome.answer.indices.back() <= n / 2);
  }
}

TEST_CASE("The same seed gives the same indices and verdict", "[sparse]") {
  const auto t = tones(1 << 16, 300);
  auto wish = phase(t);
  const auto first = solve(t, wish).answer;
  wish.seed = first.seed;  // a seed that was drawn
  const auto second = solve(t, wish).answer;
  CHECK(second.seed == first.seed);
  CHECK(first.indices == second.indices);
  CHECK(first.verdict == second.verdict);
  CHECK(first.attempts == second.attempts);
  for (std::size_t i = 0; i < first.values.size(); ++i)
    CHECK(std::abs(first.values[i] - second.values[i]) < 1e-6 * t.length);
}

TEST_CASE("A signal that is not sparse is never claimed to be sparse", "[sparse]") {
  for (const std::uint64_t k : {2000, 10000, 1 << 16}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const auto t = tones(1 << 16, k, seed);
      auto wish = phase(t);
      wish.sparsity = 100;
      wish.seed = seed;
      const auto outcome = solve(t, wish);
      if (outcome.comparison.missed > 0) CHECK(outcome.answer.verdict == Verdict::unverified);
    }
  }
  // White noise only.
  auto noise = tones(1 << 16, 1);
  noise.snr_db = -60;
  CHECK(solve(noise, phase(noise)).answer.verdict == Verdict::unverified);
}

TEST_CASE("If the phase method is not sure, the dense transform is computed", "[sparse]") {
  const auto t = tones(1 << 16, 10000);
  auto wish = phase(t);
  wish.sparsity = 100;
  wish.allow_dense = true;
  const auto outcome = solve(t, wish);
  CHECK(outcome.answer.used == SparseMethod::dense);
  CHECK(outcome.answer.verdict == Verdict::verified);
  CHECK(outcome.comparison.missed == 0);
  CHECK(outcome.comparison.mean_error < 1e-6);
}

// In 14800 recoveries on an H200, four listed a tone between the largest possible noise and the
// floor.
TEST_CASE("Noise below the floor is not listed", "[sparse][long]") {
  const auto t = tones(1 << 16, 1000, 45);
  const auto signal = catalogue::make_signal(t);
  const auto wish = test::only(SparseMethod::phase, t, Precision::f64);
  const auto& device = test::default_device();
  const SparsePlan plan(device.context, device.device, wish);
  const auto answer = plan.forward(device.queue, test::upload(signal, wish), {.seed = 1045});
  CHECK(answer.verdict == Verdict::consistent);
  CHECK(answer.indices.size() == 1000);
  CHECK(catalogue::compare(answer, signal).missed == 0);
}

TEST_CASE("A burst that the checks may miss is never called explained", "[sparse][long]") {
  constexpr std::size_t kLength = 1 << 20;
  const auto& device = test::default_device();
  for (const std::size_t burst : {kLength / 200, kLength / 1000}) {
    auto t = tones(kLength, 1);
    auto signal = catalogue::make_signal(t);
    const double share = 3e-3;  // fraction of the signal's size
    std::mt19937_64 random(1);
    std::normal_distribution<double> gauss(
        0, share * std::sqrt(static_cast<double>(kLength) / static_cast<double>(burst) / 2));
    for (std::size_t i = 0; i < burst; ++i)
      signal.samples[1000 + i] += std::complex(gauss(random), gauss(random));
    auto wish = phase(t);
    const auto buffer = upload(signal, wish);
    for (const auto method : {SparseMethod::phase, SparseMethod::voting}) {
      wish.method = method;
      const SparsePlan plan(device.context, device.device, wish);
      for (std::uint64_t seed = 0; seed < 10; ++seed)
        CHECK(plan.forward(device.queue, buffer, {.seed = seed}).verdict != Verdict::consistent);
    }
  }
}

TEST_CASE("No attempt is made that is predicted to be slower than the dense transform",
          "[sparse]") {
  const auto t = tones(1 << 18, 15000);
  auto wish = phase(t);
  wish.sparsity = 50;
  wish.allow_dense = true;
  const auto asked = solve(t, wish);
  wish.method = SparseMethod::automatic;
  const auto chosen = solve(t, wish);
  CHECK(asked.answer.used == SparseMethod::dense);
  CHECK(chosen.answer.used == SparseMethod::dense);
  CHECK(chosen.answer.attempts < asked.answer.attempts);
}

TEST_CASE("The dense method lists what stands out, of any length", "[sparse]") {
  for (const std::uint64_t n : {1, 2, 100, 4096, 10007}) {
    for (const bool real : {false, true}) {
      if (real && n < 100) continue;
      auto t = tones(n, n < 100 ? 1 : 10);
      t.real = real;
      auto wish = phase(t);
      wish.method = SparseMethod::dense;
      wish.kind = real ? Kind::real : Kind::complex;
      const auto outcome = solve(t, wish);
      CHECK(outcome.answer.used == SparseMethod::dense);
      CHECK(outcome.answer.verdict == Verdict::verified);
      CHECK(outcome.comparison.missed == 0);
      CHECK(outcome.comparison.spurious == 0);
      CHECK(outcome.comparison.mean_error < 1e-6);
    }
  }
}

}  // namespace
}  // namespace imago
