// This file holds the window of the phase method: a Kaiser window over a few bucket periods, whose
// transform has a closed form (Kaiser and Schafer, IEEE Trans. ASSP-28, 1980). A tone that is known
// exactly is divided by that transform, so it need not be flat.
#pragma once

#include <cstdint>
#include <vector>

namespace imago::sparse {

struct Window {
  unsigned width = 3;  ///< length in periods of B samples, B the number of buckets
  double beta = 18;

  /// Buckets beyond the main lobe's half width, beta / (pi width), are reached only by `leak`; a
  /// tone is subtracted from so many on either side of its own.
  unsigned neighbours() const;
  /// Largest response outside the main lobe, over the one at its centre.
  double leak() const;
  /// Response at a distance of e buckets; 1 at 0:
  /// sinh(sqrt(beta^2 - u^2)) / sqrt(beta^2 - u^2) * beta / sinh(beta), u = pi width e.
  double response(double e) const;
  /// The width * buckets taps at j = -width*buckets/2 .., scaled so that a tone of amplitude 1 has
  /// the response above.
  std::vector<double> taps(std::uint64_t buckets) const;
};

}  // namespace imago::sparse
