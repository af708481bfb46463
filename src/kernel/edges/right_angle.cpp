// This file implements the edge of right-angle convolutions.
#include "kernel/edges/right_angle.hpp"

namespace imago::kernel {

EdgeFacts facts_of(const RightAngle&, End, std::uint64_t points) {
  return {.elements = points,
          .whole = true,
          .roots = {4 * points},
          .factor_instructions = kComplexMultiply};
}

}  // namespace imago::kernel
