// This file computes DCT and DST of types II and III of an even number n of real numbers x through
// m = n / 2 complex points: a half-length FFT of packed real numbers (Cooley, Lewis and Welch,
// 1970) within Makhoul's algorithm (IEEE Trans. ASSP-28, 1980). With w(t) = exp(-i pi t / 2n), the
// order v[q] = x[2q] for 2q < n, else x[2n-1-2q], and the forward DFT Z of the m points z:
//
//   II   z[p] = v[2p] + i v[2p+1]; 2 V[p] = Z[p] + Z*[m-p] - i w(4p) (Z[p] - Z*[m-p]);
//        X[p] - i X[n-p] = 2 w(p) V[p]; X[m] = sqrt(2) (Re Z[0] - Im Z[0])
//   III  e[p] = x[p] + i x[n-p], x[n] = 0, f = exp(i pi / 4) e*[m-p];
//        z[p] = w(p) (e[p] + f - i w(4p) (e[p] - f)); v[2p] = Re Z[p], v[2p+1] = -Im Z[p],
//        which is X in the same order
//
// Sine transforms use the cosine transform of (-1)^j x[j] in reverse order (II), or of x in reverse
// order, multiplied by (-1)^k (III).
//
// The real numbers are paired in two orders. Pair p of "partners" is (X[p], X[n-p]), or (X[0],
// X[m]). Pair j of "neighbours" is (x[2j], x[2j+1]), with swapped parts for odd j. In this order
// z[p].re is the first part of a pair, and z[p].im the second part of the same pair or of an
// adjacent one.
#pragma once

#include "blocks/edges/cosines.hpp"

namespace imago::blocks {

/// Returns true if the line is a II or III of half length.
bool is_halved(const CosineLine& line);

/// Two real numbers of a line, by their numbers, and the conditions under which their signs change.
struct Reals {
  ir::Value first, second;
  ir::Condition first_negated = ir::Condition::never(), second_negated = ir::Condition::never();
};
Cx signed_as(const Reals& reals, const Cx& x);
/// Returns the two real numbers that are the parts of a point, at the end where partners are not
/// joined.
Reals parts_of_point(const CosineLine& line, ir::Value p);
/// Returns the two real numbers of pair p of partners.
Reals partners_at(const CosineLine& line, ir::Value p);
/// Converts between real numbers that are adjacent in memory and pair `number` of neighbours, in
/// both directions.
Cx as_neighbours(const CosineLine& line, ir::Value number, const Cx& x);

/// Returns pair p of partners from a point and its partner m - p, after the DFT (II).
Cx partners_of(const CosineLine& line, ir::Value p, const Cx& z, const Cx& partner,
               const Factors& factors);

// These are point_of() and element_of() for pairs instead of elements: neighbours at the load of II
// and the store of III, else partners.
Cx halved_point_of(const CosineLine& line, ir::Value p, const Factors& factors,
                   const ByNumber& pair);
Cx halved_pair_of(const CosineLine& line, ir::Value number, const Factors& factors,
                  const ByNumber& point);

}  // namespace imago::blocks
