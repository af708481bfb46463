// This file checks the verdict on an attempt: a pure function of the measurements.
#include "sparse/verdict.hpp"

#include <bit>
#include <limits>

#include "sparse/attempt.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using sparse::Next;

sparse::PhaseParameters parameters() {
  SparseTransform t;
  t.length = 1 << 20;
  t.sparsity = 100;
  return sparse::phase_parameters(sparse::make_request(t)).value();
}

/// Returns the reading of ten tones that were found, with buckets like noise.
sparse::Reading good() {
  sparse::Reading reading;
  reading.peak = 1;
  reading.noise = 1e-6;
  reading.worst = 2e-6;
  reading.largest = 3;
  reading.energy = 10;
  reading.residual = 1e-6;
  for (std::uint64_t f = 0; f < 10; ++f) reading.tones.push_back({f, 1.0});
  return reading;
}

Next next(const sparse::Reading& reading, const sparse::Attempted& attempted = {}) {
  return sparse::judge(reading, attempted, parameters(), 1e-4).next;
}

TEST_CASE("Consistent needs clean buckets and an explained signal", "[sparse]") {
  CHECK(next(good()) == Next::accept_consistent);
  auto reading = good();
  reading.residual = 2e-4;
  CHECK(next(reading) == Next::retry);
  reading = good();
  reading.worst = 5e-6;  // a tone hidden in a bucket, too weak for the residual
  CHECK(next(reading) == Next::retry);
  reading = good();
  reading.full = true;
  CHECK(next(reading) == Next::retry);
}

TEST_CASE("Readings that are infinite or NaN are never consistent", "[sparse]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double sparse::Reading::*field :
       {&sparse::Reading::peak, &sparse::Reading::worst, &sparse::Reading::noise,
        &sparse::Reading::energy, &sparse::Reading::residual}) {
    for (const double wrong : {nan, std::numeric_limits<double>::infinity()}) {
      if (field == &sparse::Reading::noise && wrong != nan) continue;
      auto reading = good();
      reading.*field = wrong;
      const auto decided = next(reading);
      CHECK(decided != Next::accept_consistent);
      CHECK(decided != Next::accept_noise_floor);
    }
  }
}

TEST_CASE("Energies that single precision cannot hold are not judged", "[sparse]") {
  auto reading = good();
  reading.energy = 1e-33;
  CHECK(next(reading) == Next::give_up);
  reading = good();
  reading.peak = 1e16;
  CHECK(next(reading) == Next::give_up);
}

TEST_CASE("A signal of zeros is consistent, one that vanishes in single precision is not",
          "[sparse]") {
  sparse::Reading zeros;
  zeros.residual = 0;
  CHECK(next(zeros) == Next::accept_consistent);
  zeros.largest = 1e-30;
  CHECK(next(zeros) == Next::give_up);
}

TEST_CASE("The noise floor needs an attempt that finds nothing new", "[sparse]") {
  auto reading = good();
  reading.residual = 0.1;
  reading.noise = 1e-3;
  reading.worst = 2e-3;
  CHECK(next(reading) == Next::retry);
  CHECK(next(reading, {.number = 1, .level = 1, .kept = 10, .common = 10}) ==
        Next::accept_noise_floor);
  CHECK(next(reading, {.number = 1, .level = 1, .kept = 9, .common = 9}) == Next::retry);
  CHECK(next(reading, {.number = 1, .level = 1, .kept = 11, .common = 10}) == Next::retry);
  reading.residual = 0.8;
  CHECK(next(reading, {.number = 1, .level = 1, .kept = 10, .common = 10}) == Next::retry);
}

TEST_CASE("Retries climb, faster where nothing was found, and end", "[sparse]") {
  const auto p = parameters();
  sparse::Reading nothing;
  nothing.peak = nothing.noise = 1;
  nothing.worst = 2;
  nothing.energy = 1;
  const auto decision = sparse::judge(nothing, {}, p, 1e-4);
  CHECK(decision.next == Next::retry);
  CHECK(decision.level == 2);
  CHECK_FALSE(decision.fine);  // saturation, not noise
  auto noisy = good();
  noisy.residual = 0.2;
  noisy.noise = 0.01;
  noisy.worst = 0.02;
  const auto fine = sparse::judge(noisy, {}, p, 1e-4);
  CHECK(fine.level == 1);
  CHECK(fine.fine);
  CHECK(sparse::judge(nothing, {.number = 5}, p, 1e-4).next == Next::give_up);
  CHECK(sparse::judge(nothing, {.number = 1, .level = p.coarse.size() - 1}, p, 1e-4).next ==
        Next::give_up);
}

TEST_CASE("If there are no more buckets, one more attempt can confirm a noise floor", "[sparse]") {
  const std::size_t last = parameters().coarse.size() - 1;
  auto reading = good();
  reading.residual = 0.1;
  CHECK(next(reading, {.number = 1, .level = last, .kept = 9, .common = 9}) == Next::retry);
  CHECK(next(reading, {.number = 2, .level = last, .kept = 10, .common = 10}) ==
        Next::accept_noise_floor);
  reading.worst = 1;
  CHECK(next(reading, {.number = 0, .level = last}) == Next::retry);
  CHECK(next(reading, {.number = 1, .level = last}) == Next::give_up);
}

TEST_CASE("Energy that is spread over all buckets is included in the residual", "[sparse]") {
  auto reading = good();
  reading.excess = 1e-3;
  sparse::charge(reading, 0.1);
  CHECK(reading.residual == test::Approx(1e-2 / std::sqrt(10.0)));
  CHECK(next(reading) == Next::retry);
  sparse::charge(reading, 1);  // the larger of both
  CHECK(reading.residual == test::Approx(1e-2 / std::sqrt(10.0)));
}

TEST_CASE("Tones that crowd their buckets are measured again among more", "[sparse]") {
  auto reading = good();
  for (std::uint64_t f = 10; f < 200; ++f) reading.tones.push_back({f, 1.0});
  CHECK(next(reading) == Next::accept_consistent);  // 512 buckets
  for (std::uint64_t f = 200; f < 300; ++f) reading.tones.push_back({f, 1.0});
  CHECK(next(reading) == Next::retry);
  CHECK(sparse::judge(reading, {}, parameters(), 1e-4).otherwise == Next::accept_consistent);
  CHECK(next(reading, {.number = 1, .kept = 300, .common = 300}) == Next::retry);
  CHECK(next(reading, {.number = 1, .level = 1}) == Next::accept_consistent);
  for (std::uint64_t f = 300; f < 900; ++f) reading.tones.push_back({f, 1.0});
  CHECK(sparse::judge(reading, {}, parameters(), 1e-4).level == 3);  // 4096 buckets
}

TEST_CASE("Pruning drops what noise can feign and charges it to the residual", "[sparse]") {
  auto reading = good();
  reading.residual = 0;
  reading.tones[3].amplitude = 1e-6;
  sparse::prune(reading, parameters().window);
  CHECK(reading.tones.size() == 9);
  CHECK(reading.residual == test::Approx(1e-6 / std::sqrt(10.0)));
}

TEST_CASE("No tone is listed that a clean bucket could hold", "[sparse]") {
  auto reading = good();
  reading.noise = 1e-3;
  reading.tones[3].amplitude = (sparse::kCleanBucket - 0.1) * reading.noise;
  reading.tones[4].amplitude = (sparse::kCleanBucket + 0.1) * reading.noise;
  sparse::prune(reading, parameters().window);
  CHECK(reading.tones.size() == 9);
}

TEST_CASE("More is pruned only within the tolerance", "[sparse]") {
  auto reading = good();
  reading.residual = 0;
  reading.tones[3].amplitude = 1e-6;
  sparse::prune_within(reading, 1e-5, 1e-7);
  CHECK(reading.tones.size() == 10);
  sparse::prune_within(reading, 1e-5, 1e-6);
  CHECK(reading.tones.size() == 9);
  CHECK(reading.residual == test::Approx(1e-6 / std::sqrt(10.0)));
}

TEST_CASE("A state is read as it was written", "[sparse]") {
  std::vector<std::uint32_t> state(sparse::state_words(2, Precision::f64));
  const auto put = [&](std::size_t at, float value) {
    state[at] = std::bit_cast<std::uint32_t>(value);
  };
  put(sparse::IMAGO_PEAK, 4.0f);
  put(sparse::IMAGO_WORST, 1e-4f);
  state[sparse::IMAGO_CREATED + 2] = 1;
  state[sparse::IMAGO_CREATED + 3] = 1;
  state[sparse::IMAGO_EVENTS + 3] = 1;
  const int at_peak = int{sparse::IMAGO_HISTOGRAM} + int{sparse::IMAGO_BINS} - 5;
  state[at_peak] = 10;       // numbers of the peak's size
  state[at_peak - 40] = 90;  // ten octaves below it
  state[sparse::IMAGO_CHECKED] = 512;
  for (int i = 0; i < sparse::IMAGO_CHECK_GROUPS; ++i) {
    const int group = sparse::IMAGO_CHECK + sparse::IMAGO_CHECK_WORDS * i;
    put(group, 0.04f);
    put(group + 1, 4.0f);
    put(group + 2, i == 7 ? 2.0f : 1.0f);
    put(group + 3, i == 9 ? 0.25f : 0.01f);
  }
  const sparse::Tone tone{5'000'000'000, {0.25, -3}};
  sparse::put_tone(tone, Precision::f64, &state[sparse::state_words(1, Precision::f64)]);

  const auto reading = sparse::read_state(state, 3, 100, Precision::f64, 1e-3);
  CHECK(reading.peak == 2);
  CHECK(reading.worst == test::Approx(0.01));
  CHECK(reading.residual == test::Approx(0.1));
  CHECK(reading.largest == 2);
  CHECK(reading.checked == 512);
  CHECK(reading.difference == test::Approx(0.5));
  CHECK(reading.energy == test::Approx(1));
  CHECK(reading.noise == test::Approx(1.15 * std::sqrt(4.0 / 1024) + 2e-3).epsilon(0.1));
  CHECK(reading.unfinished);
  CHECK(reading.rounds == 1);
  CHECK_FALSE(reading.full);
  REQUIRE(reading.tones.size() == 2);
  CHECK(reading.tones[1].frequency == tone.frequency);
  CHECK(reading.tones[1].amplitude == tone.amplitude);
  CHECK(sparse::read_state(state, 3, 2, Precision::f64, 0).full);
}

}  // namespace
}  // namespace imago
