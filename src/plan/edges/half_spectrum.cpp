// This file is the edge of half spectra.
#include "plan/edges/half_spectrum.hpp"

namespace imago::plan {

EdgeFacts facts_of(const HalfSpectrum&, End, std::uint64_t points) {
  return {.elements = points / 2 + 1};
}

}  // namespace imago::plan
