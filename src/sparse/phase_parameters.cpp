// This file chooses the parameters of the phase method.
#include "sparse/phase_parameters.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace imago::sparse {
namespace {

constexpr unsigned kLeastLogBuckets = 8, kMostLogBuckets = 22;  // at most a few GB
constexpr std::uint64_t kBucketsPerTone = 4;  // 2 are enough for random support, but not for
                                              // structured support
// With this many buckets per tone, one tone in a hundred needs a third round. Up to kMostRoomy
// buckets, they cost less than one launch on a GPU.
constexpr std::uint64_t kRoomyBuckets = 8, kMostRoomy = std::uint64_t{1} << 12;
constexpr std::uint64_t kGuess = 64;  // assumed number of tones if it is unknown
constexpr std::size_t kLevels = 6;
constexpr unsigned kFineStep = 2, kCoarseStep = 4;  // coarse steps are exact down to a
                                                    // signal-to-noise ratio of 20 dB
constexpr double kNoisy = 0.12;                     // relative noise above which steps are fine
constexpr double kBucketsPerNoise = 60;             // at least 60 k noise^2 buckets
// Rounds of peeling that are enqueued at a time. The refinement corrects most of what they leave;
// f64 needs a smaller remainder. If tones rarely share a bucket, one round less is enough.
// docs/measured/sparse.md has the fraction of attempts that need more (`sparse_trials rounds`).
constexpr unsigned kRoundsF32 = 3, kRoundsF64 = 4, kNoisyRounds = 10;
constexpr unsigned kPasses = 1, kNoisyPasses = 2;  // passes of refinement; the second averages
                                                   // noise
constexpr double kPeelsNoise = 0.03;               // relative noise above which many rounds are
                                                   // needed

// Windows with a leakage of 1.4e-7 and 1e-11 of a tone; rounding errors of a tone's amplitude.
constexpr Window kWindowF32{3, 18}, kWindowF64{4, 28};
constexpr double kRoundingF32 = 3e-7, kRoundingF64 = 1e-13;

// Predictions. GPU: random gathers of an H200 from 1 GiB, 28 G/s (measured, with 132 compute
// units), and the time of a stage. A stage waits for the previous stage and then for its own loads,
// one after another (docs/measured/sparse.md: 10 to 16 us and the gap). CPU: a core's time per
// sample over all stages (docs/measured/sparse.md: 5.05 ms of two cores for 184448).
constexpr double kGpuUnitGathers = 28e9 / 132, kGpuStage = 13e-6;
constexpr double kCpuSample = 55e-9, kCpuLaunch = 20e-6;

unsigned log_of(std::uint64_t at_least) {
  return static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(at_least, 1) - 1));
}

bool is_noisy(const Request& request) { return request.noise > kPeelsNoise; }

unsigned first_log_buckets(const Request& request, Dear dear) {
  const std::uint64_t tones = request.tones > 0 ? request.tones : kGuess;
  const double for_noise =
      kBucketsPerNoise * static_cast<double>(tones) * request.noise * request.noise;
  const bool roomy = dear == Dear::launches && request.tones > 0 && !is_noisy(request) &&
                     kRoomyBuckets * tones <= kMostRoomy;
  const std::uint64_t wanted = std::max((roomy ? kRoomyBuckets : kBucketsPerTone) * tones,
                                        static_cast<std::uint64_t>(for_noise));
  return std::max(kLeastLogBuckets, log_of(wanted));
}

unsigned first_rounds(const Request& request, const Level& level, unsigned rounds) {
  const bool roomy = request.tones > 0 && level.buckets() >= kRoomyBuckets * request.tones;
  return roomy && !is_noisy(request) ? rounds - 1 : rounds;
}

}  // namespace

double Level::threshold() const {
  return std::max(3.5, 0.8 * static_cast<double>((1u << step) + 1));
}

Level make_level(std::uint64_t n, unsigned log_buckets, unsigned step) {
  Level level;
  level.log_buckets = log_buckets;
  level.step = step;
  const auto last = static_cast<unsigned>(std::bit_width(n / 4) - 1);
  for (unsigned e = log_buckets - 2; e < last; e += step) level.exponents.push_back(e);
  level.exponents.push_back(last);
  return level;
}

Dear dear_on(const device::Facts& facts) {
  return facts.type == device::Type::cpu ? Dear::samples : Dear::launches;
}

std::optional<PhaseParameters> phase_parameters(const Request& request, Dear dear) {
  if (request.length < kLeastPhaseLength || request.length >= kPhaseLengthLimit) return {};
  const auto most =
      std::min(kMostLogBuckets, static_cast<unsigned>(std::bit_width(request.length / 8) - 1));
  // Spare buckets are optional, but as many as the tones need are required.
  const unsigned least = first_log_buckets(request, Dear::samples);
  if (least > most) return {};
  const unsigned first = std::min(most, first_log_buckets(request, dear));
  const unsigned stride = request.tones > 0 ? 1 : 2;

  PhaseParameters parameters;
  const bool f64 = request.precision == Precision::f64;
  parameters.window = f64 ? kWindowF64 : kWindowF32;
  parameters.rounding = f64 ? kRoundingF64 : kRoundingF32;
  parameters.rounds = f64 ? kRoundsF64 : kRoundsF32;
  if (is_noisy(request)) parameters.rounds = kNoisyRounds;
  parameters.passes = request.noise > 0 ? kNoisyPasses : kPasses;
  parameters.later_passes = kNoisyPasses;
  unsigned log_buckets = first;
  for (std::size_t i = 0; i < kLevels; ++i) {
    const bool noisy = request.noise > kNoisy;
    parameters.coarse.push_back(
        make_level(request.length, log_buckets, noisy ? kFineStep : kCoarseStep));
    parameters.fine.push_back(make_level(request.length, log_buckets, kFineStep));
    for (Level* level : {&parameters.coarse.back(), &parameters.fine.back()})
      level->rounds = first_rounds(request, *level, parameters.rounds);
    if (log_buckets == most) break;
    log_buckets = std::min(most, log_buckets + stride);
  }
  return parameters;
}

unsigned launches(const PhaseParameters& parameters, const Level& level) {
  return 1 + level.rounds + parameters.passes + 1;  // sample, peel, refine, check
}

unsigned PhaseParameters::most_shifts() const {
  unsigned most = 0;
  for (const auto* levels : {&coarse, &fine})
    for (const auto& level : *levels) most = std::max(most, level.shifts());
  return most;
}

double seconds(const PhaseParameters& parameters, const Level& level, const device::Facts& facts) {
  const double samples = static_cast<double>(level.samples(parameters.window));
  const double stages = launches(parameters, level) + 2;  // the transform and the copy to the host
  const double units = std::max(1u, facts.compute_units);
  if (facts.type == device::Type::cpu) return stages * kCpuLaunch + samples * kCpuSample / units;
  return stages * std::max(facts.rates.launch_seconds, kGpuStage) +
         samples / (kGpuUnitGathers * units);
}

}  // namespace imago::sparse
