// This file chooses the parameters of the voting method.
#include "sparse/voting_parameters.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/errors.hpp"
#include "base/integers.hpp"

namespace imago::sparse {
namespace {

constexpr double kBuckets = 2;  // factor of sqrt(n k / log2 n), sFFT's constant
constexpr std::uint64_t kBucketsPerTone =
    8;  // a tone reaches 2.3 buckets; a quarter of these are not its own
constexpr unsigned kLeastLogBuckets = 8, kMostLogBuckets = 22;
constexpr std::uint64_t kSelectedPerTone = 3, kSelectedMore = 16;
constexpr std::uint64_t kResiduesPerTone = 16;  // residues of the comb per tone, so that one in 16
                                                // frequencies may vote
constexpr std::uint64_t kGuess = 64;            // assumed number of tones if it is unknown
constexpr std::size_t kLevels = 3, kLevelsOfGuess = 5;
constexpr std::uint64_t kMostCapacity = std::uint64_t{1} << 20;
constexpr double kLeakF32 = 1e-8,
                 kLeakF64 = 1e-12;  // below the rounding error; the filter grows with the logarithm
constexpr double kRoundingF32 = 3e-7, kRoundingF64 = 1e-13;

// Predictions. GPU: 24 G/s of gathers, measured for the kernel of the library compared with on an
// H200 (132 compute units), and as many votes; a launch that waits for the previous one. CPU: this
// method's kernels on one core.
constexpr double kGpuUnitGathers = 24e9 / 132, kGpuLaunch = 5e-6;
constexpr double kCpuSample = 30e-9, kCpuLaunch = 20e-6;

unsigned floor_log2(std::uint64_t x) { return static_cast<unsigned>(std::bit_width(x) - 1); }

/// Returns the number of frequencies that get enough votes by chance, if each loop votes for a
/// fraction p of them.
double chance_hits(const VotingParameters& parameters, double n, double p) {
  double share = 0, ways = 1;
  for (unsigned v = parameters.location + 1; v-- > parameters.votes;) {
    share += ways * std::pow(p, v) * std::pow(1 - p, parameters.location - v);
    ways = ways * v / (parameters.location - v + 1);
  }
  return n * share;
}

std::optional<VotingLevel> make_level(const Request& request, const VotingParameters& parameters,
                                      std::uint64_t tones) {
  const auto n = static_cast<double>(request.length), k = static_cast<double>(tones);
  VotingLevel level;
  level.tones = tones;
  const auto by_length = static_cast<std::uint64_t>(kBuckets * std::sqrt(n * k / std::log2(n)));
  level.log_buckets = std::max({kLeastLogBuckets, floor_log2(std::max<std::uint64_t>(1, by_length)),
                                floor_log2(std::bit_ceil(kBucketsPerTone * tones))});
  level.window = {parameters.options.shape,
                  request.precision == Precision::f64 ? kLeakF64 : kLeakF32, request.length,
                  level.buckets()};
  if (level.log_buckets > kMostLogBuckets ||
      level.window.rounds() * level.buckets() > request.length)
    return {};
  level.weakest = level.window.response(request.length / level.buckets() / 2);
  level.most = std::min(level.buckets() / 2, kSelectedPerTone * tones + kSelectedMore);
  const double p = static_cast<double>(level.most) / static_cast<double>(level.buckets());
  level.capacity = std::min(
      kMostCapacity,
      std::bit_ceil(static_cast<std::uint64_t>(2 * chance_hits(parameters, n, p) + 4 * k + 1024)));
  level.log_comb =
      std::min(floor_log2(std::bit_ceil(kResiduesPerTone * std::max<std::uint64_t>(16, tones))),
               floor_log2(request.length) - 2);
  return level;
}

void check(const Request& request, const VotingOptions& options) {
  if (options.layout_transformation && !options.loop_partition)
    base::unsupported("layout_transformation needs loop_partition", "set both, or neither");
  if (!options.loop_partition && request.precision == Precision::f64)
    base::unsupported(
        "the voting method in f64 needs loop_partition, because there are no atomics of f64",
        "set loop_partition");
}

}  // namespace

std::uint64_t VotingParameters::samples(const VotingLevel& level) const {
  return loops * level.window.rounds() * level.buckets() +
         (options.comb ? comb_loops * level.comb() : 0);
}

std::optional<VotingParameters> voting_parameters(const Request& request,
                                                  const VotingOptions& options) {
  check(request, options);
  if (!base::is_power_of_two(request.length) || request.length < kLeastVotingLength ||
      request.length > kMostVotingLength)
    return {};
  VotingParameters parameters;
  parameters.options = options;
  parameters.rounding = request.precision == Precision::f64 ? kRoundingF64 : kRoundingF32;
  const bool known = request.tones > 0;
  std::uint64_t tones = known ? request.tones : std::min(kGuess, request.length / 256);
  const std::size_t levels = known ? kLevels : kLevelsOfGuess;
  while (parameters.levels.size() < levels) {
    const auto level = make_level(request, parameters, tones);
    if (!level) break;
    // Every level has more buckets than the previous one.
    if (parameters.levels.empty() || level->log_buckets > parameters.levels.back().log_buckets)
      parameters.levels.push_back(*level);
    tones *= known ? 2 : 4;
  }
  if (parameters.levels.empty()) return {};
  return parameters;
}

unsigned launches(const VotingParameters& parameters, const VotingLevel& level) {
  const auto& options = parameters.options;
  const unsigned log = level.log_buckets;
  const unsigned filter = options.layout_transformation ? 2 * parameters.loops : 1;
  // A sort has a launch for every stride above 256, and one for all smaller strides; then one more
  // selects.
  const unsigned beyond = log - 9;
  const unsigned cut = options.threshold_selection ? 3 : 2 + beyond * (beyond + 1) / 2 + beyond;
  // Clear, vote, estimate; subtract before and after each refinement; check.
  return 1 + filter + cut * (options.comb ? 2 : 1) + (options.comb ? 3 : 0) + 2 +
         (1 + 2 * options.refinements) + 1;
}

double seconds(const VotingParameters& parameters, const VotingLevel& level,
               const device::Facts& facts) {
  const auto samples = static_cast<double>(parameters.samples(level));
  const double votes = static_cast<double>(parameters.location * level.most) *
                       static_cast<double>(level.window.length) /
                       static_cast<double>(level.buckets());
  const double stages = launches(parameters, level) + 2;  // the transform and the copy to the host
  const double units = std::max(1u, facts.compute_units);
  if (facts.type == device::Type::cpu)
    return stages * kCpuLaunch + (samples + votes) * kCpuSample / units;
  const double launch = facts.rates.launch_seconds > 0 ? facts.rates.launch_seconds : kGpuLaunch;
  return stages * std::max(launch, kGpuLaunch) + (samples + votes) / (kGpuUnitGathers * units);
}

}  // namespace imago::sparse
