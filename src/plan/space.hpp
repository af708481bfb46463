// This file lists the parameters that a request can be computed with: the space that the model
// ranks and the tuner searches, as data. What is legal is legality.hpp's business.
#pragma once

#include <cstdint>
#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/cuts.hpp"
#include "plan/planner.hpp"

namespace imago::plan {

/// Every ordered sequence of `allowed` radices, at most `most_passes` long, whose product is
/// `length`.
std::vector<std::vector<unsigned>> ordered_factorisations(std::uint64_t length,
                                                          const std::vector<unsigned>& allowed,
                                                          std::size_t most_passes);

/// All complete, legal parameters of one mapping, for one line or for all lines of a whole
/// transform, for every way to cut it into lines. For every split of a line's length into one, two
/// or three kernels, and for every kernel of it:
/// - work_group: every ordered factorisation, work-items per transform (up to 64 points each),
///   transforms per group in powers of two (work-groups of 32 to 1024), both exchange forms,
///   twiddles as products, from tables and from polynomials;
/// - vector: every ordered factorisation, vectors of 4, 8 and 16, along points and columns, one to
///   eight transforms per work-item, twiddles from tables and as products.
/// A length that has no radices is convolved, by every algorithm that takes it, at the length that
/// its solver prefers. A kernel of a hierarchy takes at most one pass more than its length needs.
/// Where the work does not fill a GPU, lengths that one kernel takes are split, too, and half of a
/// sample has kernels with work-groups of one size, which can be one launch.
class Space {
 public:
  Space(const lines::Request& request, const device::Facts& facts, Mapping mapping);
  Space(const std::vector<Cut>& cuts, const device::Facts& facts, Mapping mapping);

  /// A way to split the lengths of all lines: what each kernel can be, independently of the others.
  struct Split {
    Algorithm algorithm = Algorithm::single;  ///< of several lines that of their Cut
    std::vector<std::vector<KernelParameters>> kernels;
    std::uint64_t size() const;  ///< combinations; the largest number where there are more
  };
  const std::vector<Split>& splits() const { return splits_; }
  std::uint64_t size() const;  ///< candidates of all splits; the largest number where it is more
  /// Candidate `index` in [0, size()).
  Parameters at(std::uint64_t index) const;
  /// All candidates where there are at most `most`, else that many, each once, drawn by `seed`, of
  /// each split about as many.
  std::vector<Parameters> sample(std::size_t most, std::uint64_t seed) const;
  /// Candidates that differ from `from` in one choice of one kernel, in the size of all kernels'
  /// work-groups, or in the launches; radices may be reordered, or two of them change. Empty where
  /// `from` is of another mapping or split.
  std::vector<Parameters> neighbours(const Parameters& from) const;

 private:
  void append_resized(const Split& split, const Parameters& from,
                      std::vector<Parameters>& found) const;

  Mapping mapping_;
  bool may_be_one_launch_ = false;
  std::vector<Split> splits_;
};

}  // namespace imago::plan
