// This file holds the window of the phase method: a Kaiser window over a few bucket periods, whose
// transform has a closed form (Kaiser and Schafer, IEEE Trans. ASSP-28, 1980). The response to a
// tone of known frequency is divided out, so the transform need not be flat.
#pragma once

#include <cstdint>
#include <vector>

namespace imago::sparse {

struct Window {
  unsigned width = 3;  ///< length in periods of B samples, where B is the number of buckets
  double beta = 18;

  /// Returns the number of buckets on either side of a tone's own from which the tone is
  /// subtracted. Beyond the main lobe's half width, beta / (pi width), a tone reaches buckets only
  /// by `leak`.
  unsigned neighbours() const;
  /// Returns the largest response outside the main lobe, relative to the centre.
  double leak() const;
  /// Returns the response at a distance of e buckets; it is 1 at 0:
  /// sinh(sqrt(beta^2 - u^2)) / sqrt(beta^2 - u^2) * beta / sinh(beta), u = pi width e.
  double response(double e) const;
  /// Returns the width * buckets taps at j = -width*buckets/2, ... They are scaled so that a tone
  /// of amplitude 1 has the response above.
  std::vector<double> taps(std::uint64_t buckets) const;
};

}  // namespace imago::sparse
