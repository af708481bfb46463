// This file defines the edge of transforms in a prime field, whose elements are single residues:
// memory holds 2n residues x, and each of the n points is a pair of two, which are transformed
// independently. With w = exp(-2 pi i / 2n), the point p is (x[p] + x[p+n], w^p (x[p] - x[p+n])),
// whose transforms are X[2p] and X[2p+1] (Gentleman and Sande 1966).
#pragma once

#include <compare>
#include <cstdint>

#include "kernel/edges/facts.hpp"

namespace imago::kernel {

struct Halves {
  friend auto operator<=>(const Halves&, const Halves&) = default;
};
template <class Visit>
void each_field(const Halves&, Visit&&) {}

EdgeFacts facts_of(const Halves& edge, End end, std::uint64_t points);

}  // namespace imago::kernel
