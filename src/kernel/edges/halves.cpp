// This file implements the edge of transforms in a prime field.
#include "kernel/edges/halves.hpp"

namespace imago::kernel {
namespace {

constexpr double kHalves = 3;  // instructions: the sum, the difference, and its product

}  // namespace

EdgeFacts facts_of(const Halves&, End, std::uint64_t points) {
  return {.elements = points, .roots = {2 * points}, .factor_instructions = kHalves};
}

}  // namespace imago::kernel
