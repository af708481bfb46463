// This file lists the possible parameters of a request: the search space of the cost model and the
// tuner, as data. legality.hpp decides what is legal.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/cuts.hpp"
#include "plan/planner.hpp"

namespace imago::plan {

/// Returns every ordered sequence of `allowed` radices, at most `most_passes` long, with the
/// product `length`.
std::vector<std::vector<unsigned>> ordered_factorisations(std::uint64_t length,
                                                          const std::vector<unsigned>& allowed,
                                                          std::size_t most_passes);

/// All complete, legal parameters of one mapping, for one line or for all lines of a whole
/// transform, for every way to divide it into lines. For every split of a line's length into one,
/// two or three kernels, and for every kernel of it:
/// - work_group: every ordered factorisation, work-items per transform (up to 64 points each),
///   transforms per group in powers of two (work-groups of 32 to 1024), both exchange forms,
///   twiddles as products, from tables and from polynomials;
/// - vector: every ordered factorisation, vectors of 4, 8 and 16, along points and columns, one to
///   eight transforms per work-item, twiddles from tables and as products.
/// A length without radices is computed as a convolution, by every algorithm that can, at the
/// length that its solver prefers. A kernel of a hierarchy has at most one pass more than its
/// length needs, and at most 100 factorisations, evenly drawn from all. If the work does not load a
/// GPU fully, lengths that fit into one kernel are split, too, and half of a sample has kernels
/// with work-groups of one size, which can run as one launch.
class Space {
 public:
  Space(const lines::Request& request, const device::Facts& facts, Mapping mapping);
  Space(const std::vector<Cut>& cuts, const device::Facts& facts, Mapping mapping);

  /// The choices for a kernel; splits with a kernel of the same length share them.
  using Choices = std::shared_ptr<const std::vector<KernelParameters>>;
  /// A way to split the lengths of all lines, with the choices for each kernel, which are
  /// independent.
  struct Split {
    Algorithm algorithm = Algorithm::single;  ///< for several lines, the algorithm of their Cut
    std::vector<Choices> kernels;
    std::uint64_t size() const;  ///< number of combinations, saturated
  };
  const std::vector<Split>& splits() const { return splits_; }
  std::uint64_t size() const;  ///< candidates of all splits, saturated
  /// Returns candidate `index` in [0, size()).
  Parameters at(std::uint64_t index) const;
  /// Returns all candidates if there are at most `most`, else `most` different ones, drawn by
  /// `seed`, about as many from each split.
  std::vector<Parameters> sample(std::size_t most, std::uint64_t seed) const;
  /// Returns the candidates that differ from `from` in one choice of one kernel, in the size of all
  /// kernels' work-groups, or in the launches. Radices may be reordered, or two of them change. The
  /// result is empty if `from` belongs to another mapping or split.
  std::vector<Parameters> neighbours(const Parameters& from) const;

 private:
  void append_resized(const Split& split, const Parameters& from,
                      std::vector<Parameters>& found) const;

  Mapping mapping_;
  bool may_be_one_launch_ = false;
  std::vector<Split> splits_;
};

}  // namespace imago::plan
