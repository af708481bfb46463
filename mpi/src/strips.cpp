// This file implements strips.
#include "strips.hpp"

#include <cstring>

namespace imago::mpi {

Strips strips(const Axes& order, const Box& container, const Box& part, std::size_t element_bytes) {
  if (elements(part) == 0) return {};
  const Place where = place(order, container, part);
  Strips found{where.offset * element_bytes, element_bytes, {}};
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t count = part[order[i]].count;
    const std::size_t stride = where.strides[order[i]] * element_bytes;
    if (count == 1) continue;
    if (stride == found.bytes)
      found.bytes *= count;
    else
      found.loops.push_back({count, stride});
  }
  return found;
}

void copy_box(const Axes& order, const Box& box, const CopyEnd& from, const CopyEnd& to,
              std::size_t element_bytes) {
  const std::size_t count = elements(box);
  if (count == 0) return;
  const std::size_t run = box[order.back()].count;
  std::vector<std::size_t> index(order.size(), 0);
  for (std::size_t row = 0; row < count / run; ++row) {
    std::size_t a = from.place.offset, b = to.place.offset, rest = row;
    for (std::size_t i = order.size() - 1; i-- > 0;) {
      const std::size_t axis = order[i], at = rest % box[axis].count;
      rest /= box[axis].count;
      a += at * from.place.strides[axis];
      b += at * to.place.strides[axis];
    }
    std::memcpy(to.data + b * element_bytes, from.data + a * element_bytes, run * element_bytes);
  }
}

}  // namespace imago::mpi
