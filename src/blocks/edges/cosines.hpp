// This file loads and stores the elements of cosine and sine transforms, which a DFT computes
// (kernel::Cosines). For n elements x and w(t) = exp(-i pi t / 2n), with the forward DFT V of the
// points v:
//
//   II, n points    v[p] = x[2p] for 2p < n, else x[2n-1-2p]; X[k] = w(k) V[k] + w(-k) V[n-k]
//   III, n points   v[p] = w(p) (x[p] + i x[n-p]), x[n] = 0; X[2k] = V[k], X[2n-1-2k] = V[k] beyond
//                   (Makhoul, IEEE Trans. ASSP-28, 1980, for real x; here for complex x)
//   IV, n/2 points  v[p] = w(2p+1/2) (x[2p] + i x[n-1-2p]); with y = w(2k) V[k]: X[2k] = 2 Re y,
//                   X[n-1-2k] = -2 Im y
//   II, III, n/2    blocks/edges/half_cosines.hpp
//   I, 2(n-1)       v: x and its mirror image, x[0] and x[n-1] once; X[k] = V[k]
//   II, 2n          v: x and its mirror image; X[k] = w(k) V[k]
//   IV, 2n          v[p] = w(p) (x and its negated mirror image); X[k] = w(k+1/2) V[k]
//
// For several axes, II and III process one axis after the other (WorkGroup::axes).
//
// Sine transforms use the cosine transform of (-1)^j x[j] in reverse order (II), or of x in reverse
// order, multiplied by (-1)^k (III, IV of n/2 points). The others use i times the DFT of the
// extension with the other sign (DST-I: 0, x, 0 and the negated mirror image).
#pragma once

#include <functional>

#include "blocks/edges/roots.hpp"
#include "blocks/elements.hpp"

namespace imago::blocks {

/// A line of a cosine or sine transform in a kernel.
struct CosineLine {
  ir::Builder& b;
  const kernel::Cosines& cosines;
  std::uint64_t points;
};

Cx load_point(const kernel::Cosines& edge, const Input& input, const Point& at,
              const Access& access);
void store_point(const kernel::Cosines& edge, const Output& output, const Point& at, const Cx& x,
                 const Spread& spread);
Cx joined(const kernel::Cosines& edge, const Frame& frame, const Point& at, const Cx& point,
          const Cx& partner);

// These functions find the elements of a line by their numbers (kernel::EdgeFacts::numbered): a
// point is made of elements, and an element of points.

/// Returns the value with this number in its line.
using ByNumber = std::function<Cx(ir::Value number)>;
/// Returns a ByNumber for a point or an element that joins two values: its first call returns the
/// value's own part, the second call its partner's.
ByNumber own_and_partner(const Cx& own, const Cx& partner);

/// Returns the point's own part at load, for points that join partners, before its factor.
Cx own_element(const CosineLine& line, const Input& input, const Point& at, const Access& access);
/// Returns the point made of elements; `factors` are those of the point.
Cx point_of(const CosineLine& line, ir::Value p, const Factors& factors, const ByNumber& element);
/// Returns the element made of points, if there are as many elements as points; `factors` are those
/// of the point its_point().
Cx element_of(const CosineLine& line, ir::Value element, const Factors& factors,
              const ByNumber& point);
ir::Value its_point(const CosineLine& line, ir::Value element);
/// Returns the number itself, or the number counted from the other end if the line is counted so.
ir::Value from_its_end(const CosineLine& line, ir::Value number);

}  // namespace imago::blocks
