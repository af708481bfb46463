// This file defines the edge of half spectra of packed real numbers: memory holds points 0 .. n of
// the half spectrum of 2n real numbers, which are n complex points at the other end. X[k] is made
// of Z[k] and its partner Z[n-k] (Cooley, Lewis and Welch 1970).
#pragma once

#include <compare>
#include <cstdint>

#include "kernel/edges/facts.hpp"

namespace imago::kernel {

struct FoldedSpectrum {
  friend auto operator<=>(const FoldedSpectrum&, const FoldedSpectrum&) = default;
};
template <class Visit>
void each_field(const FoldedSpectrum&, Visit&&) {}

EdgeFacts facts_of(const FoldedSpectrum& edge, End end, std::uint64_t points);

}  // namespace imago::kernel
