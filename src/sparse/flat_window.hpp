// This file holds the windows of the voting method. A window is a Dolph-Chebyshev or a Gaussian one
// whose transform is convolved with a box. The result is nearly flat over a bucket and vanishes a
// bucket further on (Hassanieh, Indyk, Katabi, Price, SODA 2012, section 7).
#pragma once

#include <cstdint>
#include <vector>

namespace imago::sparse {

enum class FlatShape { dolph_chebyshev, gaussian };

struct FlatWindow {
  FlatShape shape = FlatShape::dolph_chebyshev;
  double leak = 1e-8;                     ///< largest response outside, relative to the centre
  std::uint64_t length = 0, buckets = 0;  ///< n and B

  /// Returns the number of nonzero taps, which is odd.
  std::uint64_t support() const;
  /// Returns the number of periods of B samples that contain the taps.
  unsigned rounds() const;
  /// Returns half the width of the box, in frequencies.
  std::uint64_t half_box() const;
  /// Returns the rounds() * B taps at j = -rounds() B/2, ... They are scaled so that a tone of
  /// amplitude 1 has the response 1 at the centre.
  std::vector<double> taps() const;
  /// Returns the real response d frequencies from the centre.
  double response(std::uint64_t d) const { return responses(d).back(); }
  /// Returns the responses at 0 to `reach` frequencies from the centre.
  std::vector<double> responses(std::uint64_t reach) const;
  /// Returns the distance from the centre to the far end of a tone's adjacent bucket.
  std::uint64_t reach() const { return 3 * length / (2 * buckets); }
};

}  // namespace imago::sparse
