// This file implements the edge of half spectra.
#include "kernel/edges/half_spectrum.hpp"

namespace imago::kernel {

EdgeFacts facts_of(const HalfSpectrum&, End, std::uint64_t points) {
  return {.elements = points / 2 + 1};
}

}  // namespace imago::kernel
