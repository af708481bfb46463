// This file defines the edge of half spectra: memory holds points 0 .. n/2 of the Hermitian
// spectrum of n real numbers; the other points are their conjugates.
#pragma once

#include <compare>
#include <cstdint>

#include "kernel/edges/facts.hpp"

namespace imago::kernel {

struct HalfSpectrum {
  friend auto operator<=>(const HalfSpectrum&, const HalfSpectrum&) = default;
};
template <class Visit>
void each_field(const HalfSpectrum&, Visit&&) {}

EdgeFacts facts_of(const HalfSpectrum& edge, End end, std::uint64_t points);

}  // namespace imago::kernel
