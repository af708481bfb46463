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
// II and III along several axes are taken along one after the other (blocks/arrangement.hpp).
//
// Sine transforms are cosine transforms of (-1)^j x[j] backwards (II), of x backwards times (-1)^k
// (III, IV of n/2 points), else of the extension with the other sign (DST-I: 0, x, 0 and the
// negated mirror image) times i.
#pragma once

#include <functional>
#include <optional>

#include "blocks/frame.hpp"

namespace imago::blocks {

/// A condition: none is never met, one that is not valid always.
using Condition = std::optional<ir::Value>;

/// A line of a cosine or sine transform in a kernel.
struct CosineLine {
  ir::Builder& b;
  const plan::Cosines& cosines;
  std::uint64_t points;
};
CosineLine line_of(const Frame& frame);

/// The value with this number in its line.
using ByNumber = std::function<Cx(ir::Value number)>;
/// What a point or an element of II or III is made of: its own number is asked for, then that of
/// its mirror image.
ByNumber own_and_image(const Cx& own, const Cx& image);
/// The point made of its elements; `root`: its factor, not valid: none.
Cx point_of(const CosineLine& line, ir::Value p, const Cx& root, const ByNumber& element);

/// Where a point goes, after its factor. With a second element the first is its real part, the
/// second its imaginary part negated.
struct Targets {
  ir::Value first, second = {};
  Condition negated = {};
  ir::Value exists = {};
};
Targets targets_of(const CosineLine& line, ir::Value p);
/// The element made of its points, the other way round, for II and III of n points. `root`: of the
/// point that its_point() names.
Cx element_of(const CosineLine& line, ir::Value element, const Cx& root, const ByNumber& point);
ir::Value its_point(const CosineLine& line, ir::Value element);
/// The number itself, of sine transforms counted from the other end.
ir::Value from_its_end(const CosineLine& line, ir::Value number);

/// Whether the point's element is one that Norm::ortho rescales at the store.
Condition end_out(const CosineLine& line, ir::Value p);

/// The factors of points p, p + step, .. one per lane, at load or at store; not valid: none.
Cx root_in(const Frame& frame, const Index& p, unsigned lanes);
Cx root_out(const Frame& frame, const Index& p, unsigned lanes);
/// The factor of a point for the work-group mapping; those of points that differ by a constant
/// follow from one.
Cx root_at(const Frame& frame, const plan::Roots& roots, ir::Value p);

/// What is stored for point z of a line and its mirror image, for half spectra and DCT-II.
Cx of_images(const Frame& frame, const Cx& z, const Cx& image, const Cx& root);

/// The value, or the other one where the condition is met.
Cx unless(const Condition& condition, const Cx& value, const Cx& other);

}  // namespace imago::blocks
