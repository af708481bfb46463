// This file defines the edge of right-angle convolutions (Crandall and Fagin 1994): a line of 2n
// real numbers is one of n complex ones modulo z^n - i, whose number j is x[j] + i x[j+n]. With
// factors exp(2 pi i j / 4n) it is one modulo z^n - 1, which transforms of n points multiply.
#pragma once

#include <compare>
#include <cstdint>

#include "kernel/edges/facts.hpp"

namespace imago::kernel {

struct RightAngle {
  friend auto operator<=>(const RightAngle&, const RightAngle&) = default;
};
template <class Visit>
void each_field(const RightAngle&, Visit&&) {}

EdgeFacts facts_of(const RightAngle& edge, End end, std::uint64_t points);

}  // namespace imago::kernel
