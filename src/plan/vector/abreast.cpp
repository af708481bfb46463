// This file makes kernels of the vector mapping compute two transforms per vector.
#include "plan/vector/abreast.hpp"

#include <algorithm>
#include <cstdint>

namespace imago::plan {
namespace {

/// Returns true if points are adjacent in memory and loaded and stored without any change.
bool is_bare(const kernel::Side& side) {
  return side.bare() && side.stride == 1 && !side.planar && !side.f16;
}

}  // namespace

bool fill_half(const std::vector<unsigned>& radices, unsigned lanes) {
  const unsigned half = lanes / 2;
  if (radices.size() < 2 || half < 2) return false;
  std::uint64_t length = 1, done = 1;
  for (const unsigned radix : radices) length *= radix;
  // Longer transforms can fill all lanes, though perhaps not with these radices. Passes that fill
  // all lanes, mixed with passes that fill half of them, are faster than half the lanes everywhere.
  if (length >= std::uint64_t{lanes} * lanes) return false;
  bool filled = true;
  for (const unsigned radix : radices) {
    const std::uint64_t left = length / (done * radix);
    // Lanes run along the remaining columns; in the last pass, along the finished digits.
    const std::uint64_t extent = left > 1 ? left : done;
    if (extent % half != 0) return false;
    filled = filled && extent >= lanes;
    done *= radix;
  }
  return !filled;
}

void take_abreast(kernel::Step& step, unsigned lanes) {
  std::vector<unsigned> radices;
  for (const kernel::Pass& pass : step.passes) {
    if (pass.outer > 1 || (pass.lane != kernel::Lane::q && pass.lane != kernel::Lane::k)) return;
    radices.push_back(pass.radix);
  }
  const bool bare = is_bare(step.in) && is_bare(step.out) && step.columns.empty() &&
                    step.four_step.order == 0 && !step.convolution.is_any();
  if (!bare || !fill_half(radices, lanes)) return;
  step.tile = step.vectors().abreast = 2;
  for (kernel::Pass& pass : step.passes) pass.width = lanes / 2;
}

}  // namespace imago::plan
