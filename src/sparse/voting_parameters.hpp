// This file chooses the parameters of the voting method (the pipeline of the cusFFT paper) for each
// attempt: the numbers of buckets, loops and votes. Pure functions (docs/sparse/method.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device/facts.hpp"
#include "sparse/flat_window.hpp"
#include "sparse/request.hpp"

namespace imago::sparse {

/// Variants of the stages. The paper's four optimisations are options, so that each can be measured
/// separately.
struct VotingOptions {
  FlatShape shape = FlatShape::dolph_chebyshev;
  bool comb = false;  ///< sFFT 2.0: only residues found in an aliased spectrum get votes
  /// Computes the place of each sample from its number; false: steps from one place to the next.
  bool index_mapping = true;
  /// Each work-item owns a bucket; false: it owns taps, and atomics sum the buckets (f32 only).
  bool loop_partition = true;
  /// A kernel on a separate queue copies the samples in the order of the taps, one loop ahead of
  /// the kernel that sums them. Needs loop_partition.
  bool layout_transformation = false;
  /// The cutoff selects buckets above a threshold, from a histogram; false: it sorts.
  bool threshold_selection = true;
  unsigned refinements = 2;  ///< corrections of the medians by the remainder in the buckets
};

/// The parameters of one attempt.
struct VotingLevel {
  std::uint64_t tones = 0;  ///< number of tones that the level is for
  unsigned log_buckets = 8;
  unsigned log_comb = 0;       ///< log2 of the number of the comb's residues
  std::uint64_t most = 0;      ///< number of buckets that the cutoff of a loop selects
  std::uint64_t capacity = 0;  ///< maximum number of frequencies with enough votes, and of tones
  FlatWindow window;
  double weakest = 1;  ///< response to a tone in the middle between two buckets

  std::uint64_t buckets() const { return std::uint64_t{1} << log_buckets; }
  std::uint64_t comb() const { return std::uint64_t{1} << log_comb; }
};

struct VotingParameters {
  VotingOptions options;
  unsigned loops = 16, location = 5, votes = 4;
  unsigned comb_loops = 3;
  double rounding = 3e-7;  ///< noise of the arithmetic, relative to the largest amplitude
  std::vector<VotingLevel> levels;

  /// Returns the number of signal elements that an attempt reads.
  std::uint64_t samples(const VotingLevel& level) const;
  /// Returns the noise of the method itself, relative to the largest amplitude.
  double own_noise() const { return levels.front().window.leak + rounding; }
};

constexpr std::uint64_t kLeastVotingLength = 4096, kMostVotingLength = std::uint64_t{1} << 31;

/// Returns nullopt if the method does not suit the length or the sparsity. Throws Unsupported for
/// incompatible options.
std::optional<VotingParameters> voting_parameters(const Request& request,
                                                  const VotingOptions& options = {});

/// Returns the launches of one attempt, without those of the transform of the buckets.
unsigned launches(const VotingParameters& parameters, const VotingLevel& level);
/// Returns the predicted seconds of one attempt.
double seconds(const VotingParameters& parameters, const VotingLevel& level,
               const device::Facts& facts);

}  // namespace imago::sparse
