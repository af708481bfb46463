// This file holds the windows of the voting method: a Dolph-Chebyshev or a Gaussian one, whose
// transform is convolved with a box, so that it is nearly flat over a bucket and vanishes a bucket
// further on (Hassanieh, Indyk, Katabi, Price, SODA 2012, section 7).
#pragma once

#include <cstdint>
#include <vector>

namespace imago::sparse {

enum class FlatShape { dolph_chebyshev, gaussian };

struct FlatWindow {
  FlatShape shape = FlatShape::dolph_chebyshev;
  double leak = 1e-8;                     ///< largest response outside, over the one at the centre
  std::uint64_t length = 0, buckets = 0;  ///< n and B

  /// Taps that are not zero, an odd number.
  std::uint64_t support() const;
  /// Periods of B samples that hold them.
  unsigned rounds() const;
  /// Half the width of the box, in frequencies.
  std::uint64_t half_box() const;
  /// The rounds() * B taps at j = -rounds() B/2 .., scaled so that a tone of amplitude 1 has the
  /// response 1 at the centre.
  std::vector<double> taps() const;
  /// Real response d frequencies from the centre.
  double response(std::uint64_t d) const { return responses(d).back(); }
  /// At 0 .. reach of them.
  std::vector<double> responses(std::uint64_t reach) const;
  /// As far from the centre as a bucket that is a tone's neighbour.
  std::uint64_t reach() const { return 3 * length / (2 * buckets); }
};

}  // namespace imago::sparse
