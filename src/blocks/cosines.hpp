// This file is what cosine and sine transforms do to the points of a DFT (plan::Cosines). For n
// elements x and w(t) = exp(-i pi t / 2n), with the forward DFT V of the points v:
//
//   II, n points    v[p] = x[2p] for 2p < n, else x[2n-1-2p]; X[k] = w(k) V[k] + w(-k) V[n-k]
//   III, n points   v[p] = w(p) (x[p] + i x[n-p]), x[n] = 0; X[2k] = V[k], X[2n-1-2k] = V[k] beyond
//                   (Makhoul, IEEE Trans. ASSP-28, 1980, for real x; here for complex x)
//   IV, n/2 points  v[p] = w(2p+1/2) (x[2p] + i x[n-1-2p]); with y = w(2k) V[k]: X[2k] = 2 Re y,
//                   X[n-1-2k] = -2 Im y
//   I, 2(n-1)       v: x and its mirror image, x[0] and x[n-1] once; X[k] = V[k]
//   II, 2n          v: x and its mirror image; X[k] = w(k) V[k]
//   IV, 2n          v[p] = w(p) (x and its negated mirror image); X[k] = w(k+1/2) V[k]
//
// Sine transforms are cosine transforms of (-1)^j x[j] backwards (II), of x backwards times (-1)^k
// (III, IV of n/2 points), else of the extension with the other sign (DST-I: 0, x, 0 and the
// negated mirror image) times i.
#pragma once

#include <optional>

#include "blocks/frame.hpp"

namespace imago::blocks {

/// A condition: none is never met, one that is not valid always.
using Condition = std::optional<ir::Value>;

/// A point at load, before its factor: x[first] + i x[second], by numbers of elements.
struct Sources {
  ir::Value first, second = {};  ///< second not valid: there is none
  Condition first_negated = {}, first_missing = {}, second_missing = {};
};
Sources sources_of(const Frame& frame, ir::Value p);

/// Where a point goes, after its factor. With a second element the first is its real part, the
/// second its imaginary part negated.
struct Targets {
  ir::Value first, second = {};
  Condition negated = {};
  ir::Value exists = {};
};
Targets targets_of(const Frame& frame, ir::Value p);

/// Whether the point's element is one that Norm::ortho rescales, at load or store.
Condition end_in(const Frame& frame, ir::Value p);
Condition end_out(const Frame& frame, ir::Value p);

/// The factors of points p, p + step, .. one per lane, at load or at store; not valid: none.
Cx root_in(const Frame& frame, const Index& p, unsigned lanes);
Cx root_out(const Frame& frame, const Index& p, unsigned lanes);

/// What is stored for point z of a line and its mirror image, for half spectra and DCT-II.
Cx of_images(const Frame& frame, const Cx& z, const Cx& image, const Cx& root);

/// The value, or the other one where the condition is met.
Cx unless(const Condition& condition, const Cx& value, const Cx& other);

}  // namespace imago::blocks
