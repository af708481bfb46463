// This file chooses the parameters of the voting method, the pipeline of the cusFFT paper: how many
// buckets, loops and votes, for each of the attempts that may follow one another. Pure functions
// (docs/sparse.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device/facts.hpp"
#include "sparse/flat_window.hpp"
#include "sparse/request.hpp"

namespace imago::sparse {

/// How the stages are computed. The paper's four optimisations are switches, so that each can be
/// measured by itself.
struct VotingOptions {
  FlatShape shape = FlatShape::dolph_chebyshev;
  bool comb = false;  ///< sFFT 2.0: only residues that an aliased spectrum has get votes
  /// The place of each sample is computed from its number; else it is carried from one to the next.
  bool index_mapping = true;
  /// A work-item owns a bucket; else one owns taps, and buckets are summed by atomics (f32 only).
  bool loop_partition = true;
  /// A kernel on a queue of its own copies the samples in the order of the taps, a loop ahead of
  /// the kernel that sums them up. Needs loop_partition.
  bool layout_transformation = false;
  /// The cutoff takes what is above a threshold, from a histogram; else it sorts.
  bool threshold_selection = true;
  unsigned refinements = 2;  ///< corrections of the medians by what the buckets still hold
};

/// What one attempt computes.
struct VotingLevel {
  std::uint64_t tones = 0;  ///< that it is made for
  unsigned log_buckets = 8;
  unsigned log_comb = 0;       ///< residues of the comb
  std::uint64_t most = 0;      ///< buckets that the cutoff of a loop selects
  std::uint64_t capacity = 0;  ///< frequencies with enough votes, and tones
  FlatWindow window;
  double weakest = 1;  ///< response to a tone between two buckets

  std::uint64_t buckets() const { return std::uint64_t{1} << log_buckets; }
  std::uint64_t comb() const { return std::uint64_t{1} << log_comb; }
};

struct VotingParameters {
  VotingOptions options;
  unsigned loops = 16, location = 5, votes = 4;
  unsigned comb_loops = 3;
  double rounding = 3e-7;  ///< noise of the arithmetic over the largest amplitude
  std::vector<VotingLevel> levels;

  /// Elements of the signal that an attempt reads.
  std::uint64_t samples(const VotingLevel& level) const;
  /// Noise that the method itself makes, over the largest amplitude.
  double own_noise() const { return levels.front().window.leak + rounding; }
};

constexpr std::uint64_t kLeastVotingLength = 4096, kMostVotingLength = std::uint64_t{1} << 31;

/// Empty where the method does not fit the length or the sparsity. Throws Unsupported for options
/// that do not go together.
std::optional<VotingParameters> voting_parameters(const Request& request,
                                                  const VotingOptions& options = {});

/// Launches of one attempt beside those of the transform of the buckets.
unsigned launches(const VotingParameters& parameters, const VotingLevel& level);
/// Predicted seconds of one attempt.
double seconds(const VotingParameters& parameters, const VotingLevel& level,
               const device::Facts& facts);

}  // namespace imago::sparse
