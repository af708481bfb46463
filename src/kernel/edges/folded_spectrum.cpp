// This file implements the edge of half spectra of packed real numbers.
#include "kernel/edges/folded_spectrum.hpp"

namespace imago::kernel {
namespace {

constexpr double kFold = 13;  // instructions of blocks::unfolded, including its root

}  // namespace

EdgeFacts facts_of(const FoldedSpectrum&, End, std::uint64_t points) {
  return {.elements = points + 1,
          .joins = true,
          .one_more = true,
          .columns = Mirror::points,
          .roots = {2 * points},
          .factor_instructions = kFold};
}

}  // namespace imago::kernel
