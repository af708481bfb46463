// This file implements the places of the elements of a case.
#include "catalogue/side.hpp"

#include <functional>
#include <numeric>

namespace imago::catalogue {

std::uint64_t Side::size() const {
  return std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>());
}

std::uint64_t Side::end() const {
  std::uint64_t last = first(batch - 1);
  for (std::size_t d = 0; d < extents.size(); ++d) last += (extents[d] - 1) * strides[d];
  return last + 1;
}

Side side_of(const Case& problem, bool source) {
  const Layout layout = layout_of(problem, source);
  Side side;
  side.extents = extents(problem, source);
  side.strides.assign(layout.strides.begin(), layout.strides.end());
  if (side.strides.empty()) {
    const auto padded = padded_extents(problem, source);
    side.strides.resize(padded.size());
    std::uint64_t stride = 1;
    for (std::size_t d = padded.size(); d-- > 0;) {
      side.strides[d] = stride;
      stride *= padded[d];
    }
  }
  side.batch = problem.batch;
  side.distance = layout.distance == 0 ? packed_size(problem, source) : layout.distance;
  side.offset = layout.offset;
  side.real = is_real(problem, source);
  side.planar = layout.storage == Storage::planar;
  return side;
}

bool overlaps(const Side& side) {
  std::vector<bool> taken(side.end());
  bool found = false;
  for (std::uint64_t member = 0; member < side.batch; ++member) {
    side.for_each(member, [&](std::uint64_t position) {
      found = found || taken[position];
      taken[position] = true;
    });
  }
  return found;
}

}  // namespace imago::catalogue
